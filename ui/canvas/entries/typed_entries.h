// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/widgets/typed/typed_list_model.h"

#include <vector>

namespace flopsmith::ui {

/// Where typed blocks land when a whole pattern is selected.
enum class Insertion { behindPattern, intoPattern };

/// What can be inserted by typing behind the last selected run: blocks with an FFN or mixer of the
/// palette, and copies of the run's blocks. Some runs must be selected. Behind a pattern that is
/// selected as a whole there are no copies.
std::vector<TypedEntry> insertionEntries(Document& document);

/// The same behind the last block of a pattern, in each of its repeats.
std::vector<TypedEntry> intoPatternEntries(Document& document);

/// What can be inserted at a gap between two blocks, as in core/present/stack/landing.h.
std::vector<TypedEntry> gapEntries(Document& document, int gap);

/// Several equal blocks of a typed number, "moe x3" or "3 moe"; none if the text has no number.
std::vector<TypedEntry> repeatedEntries(Document& document,
                                        const QString& typed,
                                        Insertion where = Insertion::behindPattern);

/// What the FFN or the mixer of all selected runs can be replaced by, in one step.
std::vector<TypedEntry> replacementEntries(Document& document);

} // namespace flopsmith::ui
