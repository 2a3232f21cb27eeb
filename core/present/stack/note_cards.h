// SPDX-License-Identifier: MIT
#pragma once

#include "core/note/note.h"
#include "core/present/stack/stack_columns.h"

#include <span>
#include <vector>

namespace flopsmith {

/// What a note is about, in the picture of the stack.
struct NotedPart
{
    int row = -1; ///< -1: the whole stack
    int part = -1; ///< of the row; -1: the whole row

    bool operator==(const NotedPart&) const = default;
};

/// Of a block in a later repeat of a pattern, the row that stands for it. The picture must be that of
/// the model, which has what the note stands at.
NotedPart notedPart(const NoteAnchor& anchor, const Model& model, const StackPicture& picture);

/// The reverse: where a new note about a row or a part of it stands. A run of blocks is noted at its
/// first one.
NoteAnchor anchorOf(const NotedPart& part, const StackPicture& picture);

/// A card with a note, as high as its text is, and the height of what it is about.
struct NoteCard
{
    double at = 0.0;
    double height = 0.0;
};

/// Where the cards stand beside the stack, in their order in `cards`. A card's line meets it `lead`
/// below its top, which is at the height of what it is about, or further down where others stand.
/// Cards are `gap` apart and not above `top`.
std::vector<ColumnSpan> noteSpans(std::span<const NoteCard> cards,
                                  double lead,
                                  double gap,
                                  double top);

} // namespace flopsmith
