// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/op_count.h"
#include "core/layer/activation.h"

namespace flopsmith {

/// Operations of an activation on `n` elements, as the reference kernels execute it:
///   relu        max(x, 0)                                       1 cmp
///   relu2       max(x, 0)²                                      1 cmp, 1 mul
///   gelu        0.5 x (1 + erf(x/√2))                           3 mul, 1 add, 1 exp
///   gelu_tanh   0.5 x (1 + tanh(√(2/π) (x + 0.044715 x³)))      6 mul, 2 add, 1 exp
///   silu        x / (1 + exp(-x))                               1 add, 1 div, 1 exp
/// A change of sign is free.
template <class N>
OpCount<N> activationCount(Activation activation, const N& n)
{
    switch (activation) {
    case Activation::none: return {};
    case Activation::relu: return {.cmp = n};
    case Activation::reluSquared: return {.mul = n, .cmp = n};
    case Activation::gelu: return {.mul = N(3) * n, .add = n, .exp = n};
    case Activation::geluTanh: return {.mul = N(6) * n, .add = N(2) * n, .exp = n};
    case Activation::silu: return {.add = n, .div = n, .exp = n};
    }
    return {};
}

/// The activation as an operation of its own: reads and writes every element once, and keeps its
/// input for the backward pass.
template <class N>
Cost<N> activationCost(Activation activation, const N& n)
{
    return {
        .count = activationCount(activation, n), .traffic = {.read = n, .written = n}, .saved = n};
}

/// Operations of dx = dy·act'(x) on `n` elements, from the kept x:
///   relu        dy where x > 0                                   1 cmp
///   relu2       dy·2·max(x, 0)                                   1 cmp, 2 mul
///   gelu        dy·(Φ(x) + x·φ(x))                               7 mul, 2 add, 2 exp
///   gelu_tanh   with t = tanh u, u = √(2/π)·(x + a·x³), a = 0.044715:
///               dy·(½(1 + t) + ½x·(1 − t²)·√(2/π)·(1 + 3a·x²))   12 mul, 5 add, 1 exp
///   silu        with σ = 1/(1 + e^−x): dy·σ·(1 + x·(1 − σ))      3 mul, 3 add, 1 div, 1 exp
template <class N>
OpCount<N> activationBackwardCount(Activation activation, const N& n)
{
    switch (activation) {
    case Activation::none: return {};
    case Activation::relu: return {.cmp = n};
    case Activation::reluSquared: return {.mul = N(2) * n, .cmp = n};
    case Activation::gelu: return {.mul = N(7) * n, .add = N(2) * n, .exp = N(2) * n};
    case Activation::geluTanh: return {.mul = N(12) * n, .add = N(5) * n, .exp = n};
    case Activation::silu: return {.mul = N(3) * n, .add = N(3) * n, .div = n, .exp = n};
    }
    return {};
}

/// The activation's backward as an operation of its own: reads x and dy, writes dx.
template <class N>
Cost<N> activationBackwardCost(Activation activation, const N& n)
{
    return {.count = activationBackwardCount(activation, n),
            .traffic = {.read = N(2) * n, .written = n}};
}

} // namespace flopsmith
