// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/widgets/typed/typed_list_model.h"

#include <vector>

namespace flopsmith::ui {

/// What can be inserted behind a run by typing: blocks with an FFN or mixer of the palette, and
/// copies of the run's blocks.
std::vector<TypedEntry> insertionEntries(Document& document, int run);

/// What the FFN or the mixer of a run can be replaced by.
std::vector<TypedEntry> replacementEntries(Document& document, int run);

} // namespace flopsmith::ui
