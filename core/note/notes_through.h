// SPDX-License-Identifier: MIT
#pragma once

#include "core/note/note.h"

#include <span>
#include <vector>

namespace flopsmith {

/// The notes after an edit of the model: each goes with its block, of which copies get none. That of
/// a block that is gone goes away; that of a part that its block does not have any more stays at the
/// block.
std::vector<Note> carriedOver(std::span<const Note> notes, const Model& before, const Model& after);

/// The notes after these runs were removed, in all repeats of their patterns. Of equal blocks
/// carriedOver() cannot know which ones are gone.
std::vector<Note> notesWithoutRuns(std::span<const Note> notes,
                                   const Model& model,
                                   std::span<const int> runs);

/// Those that have their place in the model; a note of a part that its block does not have stands at
/// the block.
std::vector<Note> holdingNotes(std::span<const Note> notes, const Model& model);

} // namespace flopsmith
