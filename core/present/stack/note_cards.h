// SPDX-License-Identifier: MIT
#pragma once

#include "core/note/note.h"
#include "core/present/stack/stack_columns.h"

#include <span>
#include <vector>

namespace flopsmith {

/// The subject of a note, in the picture of the stack.
struct NotedPart
{
    int row = -1; ///< -1: the whole stack
    int part = -1; ///< of the row; -1: the whole row

    bool operator==(const NotedPart&) const = default;
};

/// For a block in a later repeat of a pattern, the row that represents it. The picture must be the
/// model's, and the model must have the note's anchor.
NotedPart notedPart(const NoteAnchor& anchor, const Model& model, const StackPicture& picture);

/// The reverse: the anchor of a new note about a row or a part of it. A note on a run of blocks is
/// anchored at its first one.
NoteAnchor anchorOf(const NotedPart& part, const StackPicture& picture);

/// A card with a note: the height of its text, and the height of its subject.
struct NoteCard
{
    double at = 0.0;
    double height = 0.0;
};

/// The positions of the cards next to the stack, in their order in `cards`. A card's line meets it
/// `lead` below its top, at the height of its subject, or further down if other cards are there.
/// Cards are `gap` apart and not above `top`.
std::vector<ColumnSpan> noteSpans(std::span<const NoteCard> cards,
                                  double lead,
                                  double gap,
                                  double top);

} // namespace flopsmith
