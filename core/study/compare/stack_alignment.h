// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"
#include "core/study/compare/parameter_reading.h"

#include <string>
#include <vector>

namespace flopsmith {

/// Neighbouring blocks of one model, counted from 0.
struct BlockRange
{
    int first = 0;
    int count = 0; ///< 0: this side is empty

    bool operator==(const BlockRange&) const = default;
};

/// A field in which two blocks differ.
struct BlockDifference
{
    std::string key; ///< a parameter's key after "blocks[N].": "ffn.d_ff"; "ffn" is the variant
    std::string label; ///< "d_ff", "FFN"
    ParameterReading a;
    ParameterReading b;

    bool operator==(const BlockDifference&) const = default;
};

/// Neighbouring blocks of two models that belong together.
struct AlignedBlocks
{
    enum class Kind {
        equal, ///< as many blocks in both, each equal to its partner
        changed, ///< as many blocks in both, all with the same differences
        removed, ///< of the first model alone
        added, ///< of the second model alone
    };
    Kind kind = Kind::equal;
    BlockRange a{};
    BlockRange b{};
    std::vector<BlockDifference> differences{}; ///< of changed blocks; never empty for these

    bool operator==(const AlignedBlocks&) const = default;
};

/// Aligns the blocks of two models by a longest common subsequence of equal blocks. Blocks are
/// equal if all fields that apply to them are, whatever the width of the models. Blocks between two
/// equal ranges are paired from their start, one by one, as long as both are in the same half of an
/// encoder-decoder; the remaining ones were removed or added. Every block has exactly one row, in
/// its order. alignedStacks(b, a) is alignedStacks(a, b) with sides exchanged.
///
/// The time grows with the runs of one model times the blocks of the other.
std::vector<AlignedBlocks> alignedStacks(const Scenario& a, const Scenario& b);

} // namespace flopsmith
