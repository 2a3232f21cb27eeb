// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/op_count.h"
#include "core/ffn/shared/channel_selection.h"
#include "core/ffn/shared/index_list_cost.h"

namespace flopsmith {

/// Choosing s of d channels for each of t tokens and addressing them: each kept channel is read and
/// written by index, 2 moves; top_k nominally d cmp per token, and its indices are kept for the
/// backward pass; a fixed list is stored.
template <class N>
Cost<N> selectionCost(ChannelSelection selection, const N& t, const N& d, const N& s)
{
    if (selection == ChannelSelection::topK) {
        return {.count = {.cmp = t * d, .move = N(2) * t * s},
                .traffic = {.read = t * d},
                .saved = t * s};
    }
    Cost<N> cost = indexListCost(s);
    cost.count.move = N(2) * t * s;
    return cost;
}

/// The choice is not made again; `moved` elements are read or written by index.
template <class N>
Cost<N> selectionBackwardCost(ChannelSelection selection, const N& moved, const N& s)
{
    Cost<N> cost{.count = {.move = moved}};
    if (selection == ChannelSelection::fixed) {
        cost += indexListBackwardCost(s);
    }
    return cost;
}

} // namespace flopsmith
