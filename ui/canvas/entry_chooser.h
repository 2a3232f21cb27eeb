// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/widgets/typed/typed_list_model.h"

#include <vector>

namespace flopsmith::ui {

/// What can be inserted by typing behind the last selected run: blocks with an FFN or mixer of the
/// palette, and copies of the run's blocks. Some runs must be selected.
std::vector<TypedEntry> insertionEntries(Document& document);

/// Several equal blocks of a typed number, "moe x3" or "3 moe"; none if the text has no number.
std::vector<TypedEntry> repeatedEntries(Document& document, const QString& typed);

/// What the FFN or the mixer of all selected runs can be replaced by, in one step.
std::vector<TypedEntry> replacementEntries(Document& document);

} // namespace flopsmith::ui
