// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/op_count.h"

namespace flopsmith {

/// The cost of a stored list of `count` indices in a pass: it is read once, like a weight, and is a
/// parameter that is not trained. The one rule for channels, bins, kept entries and non-zeros.
template <class N>
Cost<N> indexListCost(const N& count)
{
    return {.traffic = {.weights = count}, .parameters = {.fixed = count}};
}

/// In a backward pass it is read again; parameters are counted in the forward pass.
template <class N>
Cost<N> indexListBackwardCost(const N& count)
{
    return {.traffic = {.weights = count}};
}

} // namespace flopsmith
