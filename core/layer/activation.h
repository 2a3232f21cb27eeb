// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/count/op_count.h"

namespace flopsmith {

enum class Activation { none, relu, reluSquared, gelu, geluTanh, silu };

template <>
std::vector<std::string_view> enumNames<Activation>();

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

/// The activation as an operation of its own: reads and writes every element once.
template <class N>
Cost<N> activationCost(Activation activation, const N& n)
{
    return {.count = activationCount(activation, n), .traffic = {.read = n, .written = n}};
}

} // namespace flopsmith
