// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/op_count.h"
#include "core/layer/optimizer.h"

namespace flopsmith {

/// One update of n weights. Factors that are the same for all weights (the learning rate, Adam's
/// corrections of its bias) are computed once per step and not charged.
///   sgd       w ← w − η·g                                                      1 mul, 1 add
///   momentum  v ← μ·v + g; w ← w − η·v                                         2 mul, 2 add
///   adam      m ← β₁·m + (1−β₁)·g; v ← β₂·v + (1−β₂)·g²; w ← w − α·m/(√v + ε)
///                                                           6 mul, 4 add, 1 div, 1 sqrt
/// In mixed precision the same is done on the 32-bit copy; rounding it to the stored weight is
/// free.
template <class N>
OpCount<N> optimizerCount(Optimizer optimizer, const N& n)
{
    switch (optimizer) {
    case Optimizer::sgd: return {.mul = n, .add = n};
    case Optimizer::momentum: return {.mul = N(2) * n, .add = N(2) * n};
    case Optimizer::adam:
    case Optimizer::adamMixed: return {.mul = N(6) * n, .add = N(4) * n, .div = n, .sqrt = n};
    }
    return {};
}

/// Decoupled weight decay of n weights before their update: w ← (1 − ηλ)·w, the factor computed once.
template <class N>
OpCount<N> decayCount(const N& n)
{
    return {.mul = n};
}

/// Clipping n gradients to a norm c: g ← min(1, c/(√Σg² + ε))·g.
///   n mul, n − 1 add, 1 sqrt; 1 add (ε), 1 div, 1 cmp; n mul
template <class N>
OpCount<N> clippingCount(const N& n)
{
    return {.mul = N(2) * n, .add = n, .div = N(1), .sqrt = N(1), .cmp = N(1)};
}

/// The update as an operation: reads every gradient, reads and writes every weight (in mixed
/// precision it only writes the stored ones) and every element of state.
template <class N>
Cost<N> optimizerCost(Optimizer optimizer, const N& n)
{
    const N passes{optimizer == Optimizer::adamMixed ? 1 : 2};
    return {.count = optimizerCount(optimizer, n),
            .traffic = {.weights = passes * n,
                        .gradients = n,
                        .states = N(2 * stateElements(optimizer)) * n}};
}

} // namespace flopsmith
