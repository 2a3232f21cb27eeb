// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/base/random.h"
#include "core/count/op_count.h"

#include <cstdint>
#include <vector>

namespace flopsmith {

/// How a sparse stage chooses the channels it works on.
enum class ChannelSelection {
    fixed, ///< a list drawn once from a seed, as training would leave it; "static" in files
    topK, ///< per token, the channels of largest |x|
};

template <>
std::vector<std::string_view> enumNames<ChannelSelection>();

/// The fixed list: `count` of `channels` channels, ascending.
inline std::vector<int> fixedChannels(int seed, int count, int channels)
{
    return Random(static_cast<std::uint64_t>(seed)).distinct(count, channels);
}

/// Choosing and addressing, per token: nominally one comparison per candidate for top_k; each kept
/// channel is read and written by index, 2 moves.
template <class N>
OpCount<N> selectionCount(ChannelSelection selection, const N& candidates, const N& keptChannels)
{
    OpCount<N> count{.move = N(2) * keptChannels};
    if (selection == ChannelSelection::topK) {
        count.cmp = candidates;
    }
    return count;
}

/// Indices that the forward pass keeps for the backward pass when `chosen` channels were chosen
/// in all: of top_k one number each, of a fixed list none.
template <class N>
N savedIndices(ChannelSelection selection, const N& chosen)
{
    return selection == ChannelSelection::topK ? chosen : N(0);
}

} // namespace flopsmith
