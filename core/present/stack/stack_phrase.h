// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/chosen_blocks.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// A typed edit of many blocks: "every 4th block: mixture of experts", "every other spectral",
/// "last 2 dense", "first block gated", "repeat 3".
struct StackPhrase
{
    enum class Kind { replace, repeat };

    Kind kind = Kind::replace;
    BlockChoice choice{}; ///< to replace a part of
    int more = 1; ///< of repeats: how many times more
    std::string part{}; ///< the words that name the new part; may be empty
    std::string problem{}; ///< what is wrong with the number, as a sentence; empty if nothing

    bool operator==(const StackPhrase&) const = default;
};

/// The text as such an edit, regardless of case; nothing if it is none. Numbers may be digits or
/// words: "4", "4th", "fourth", "four".
std::optional<StackPhrase> stackPhrase(std::string_view typed);

/// Several replacements that follow each other, "every 4th moe, last 2 spectral and first block
/// dense"; the single edit of another text, or none.
std::vector<StackPhrase> stackPhrases(std::string_view typed);

/// "Every 4th block", "Every block", "Every 4th block from 2", "Last 2 blocks", "First block"
std::string choiceText(const BlockChoice& choice);

/// Blocks in ascending order, counted from 1: "block 12", "blocks 4, 8, 12", "blocks 7 – 12",
/// "blocks 2, 4, 6 … 60 (30 blocks)".
std::string blocksText(const std::vector<int>& blocks);

/// "once more", "3 times more"
std::string moreTimesText(int more);

} // namespace flopsmith
