// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/widgets/typed/typed_list_model.h"

#include <QString>

#include <vector>

namespace flopsmith::ui {

/// What a typed edit of many blocks does: "every 4th block: mixture of experts", "last 2 spectral",
/// "repeat 3". One row for each part that the words name, or one that says what is wrong; none for
/// another text. Blocks are counted among the selected ones if several rows are selected, else in the
/// whole stack. Several of them, "every 4th moe, last 2 ultra", are one row. Each row is one undo
/// step, and says which blocks change.
std::vector<TypedEntry> phraseEntries(Document& document, const QString& typed);

} // namespace flopsmith::ui
