// SPDX-License-Identifier: MIT
#pragma once

#include "core/note/note.h"

#include <span>
#include <vector>

namespace flopsmith {

/// The notes after an edit of the model: each goes with its block; copies of a block get none. A
/// note on a removed block is dropped; a note on a part that its block no longer has moves to the
/// block.
std::vector<Note> carriedOver(std::span<const Note> notes, const Model& before, const Model& after);

/// The notes after these runs were removed, in all repeats of their patterns. Among equal blocks
/// carriedOver() cannot know which ones were removed.
std::vector<Note> notesWithoutRuns(std::span<const Note> notes,
                                   const Model& model,
                                   std::span<const int> runs);

/// The notes whose anchor exists in the model; a note on a part that its block lacks moves to the
/// block.
std::vector<Note> holdingNotes(std::span<const Note> notes, const Model& model);

} // namespace flopsmith
