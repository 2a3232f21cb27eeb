// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/model.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

inline constexpr std::size_t kMaxNotes = 200; ///< of a design
inline constexpr std::size_t kLongestNote = 500; ///< in code points

/// The possible anchors of a note: the whole stack, a part outside of the blocks, a block or a part
/// of it.
enum class NotePart {
    stack,
    embedding,
    block,
    norm,
    mixer,
    cross,
    ffn,
    encoderNorm,
    finalNorm,
    head,
};

std::string_view nameOf(NotePart part); ///< "encoder_norm"

/// The names of all parts, for readers.
std::vector<std::string_view> notePartNames();

/// Whether the part is a block or inside of one.
bool isOfBlock(NotePart part);

/// The anchor of a note.
struct NoteAnchor
{
    NotePart part = NotePart::stack;
    int block = -1; ///< from 0; -1 outside of the blocks

    bool operator==(const NoteAnchor&) const = default;
};

/// A person's remark on a part of a design.
struct Note
{
    NoteAnchor anchor{};
    std::string text{}; ///< UTF-8, may have several lines

    bool operator==(const Note&) const = default;
};

/// Whether the block has such a part, muted or not.
bool holdsNotePart(const Block& block, NotePart part);

/// An Error that says what the model has instead of the anchor's block or part.
Status checked(const NoteAnchor& anchor, const Model& model);

/// An Error that says how long a text may be, or that it has control characters.
Status checkedNoteText(std::string_view text);

/// The Error begins with the number of the wrong note, counted from 0: "[3]: ".
Status checked(std::span<const Note> notes, const Model& model);

/// The text in a note: without control characters and blank ends, cut at kLongestNote code points.
/// Empty if nothing is left.
std::string noteText(std::string_view typed);

/// In the order of the stack, from the whole of it and the embedding to the head.
std::vector<Note> inStackOrder(std::span<const Note> notes, const Model& model);

/// "Blocks 1 – 12, FFN" for the first block of a run, "Block 4, mixer" for another one, "Embedding".
std::string anchorText(const NoteAnchor& anchor, const Model& model);

} // namespace flopsmith
