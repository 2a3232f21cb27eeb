// SPDX-License-Identifier: MIT
#pragma once

#include "core/layer/activation.h"

#include <cmath>
#include <numbers>
#include <span>

namespace flopsmith::reference {

/// 1 comparison.
template <class S>
S relu(S x)
{
    return x < S(0) ? S(0) : x;
}

/// 3 multiplications, 1 addition, 1 erf.
template <class S>
S gelu(S x)
{
    using std::erf;
    return S(0.5) * x * (S(1) + erf(x * S(std::numbers::sqrt2 / 2)));
}

/// 6 multiplications, 2 additions, 1 tanh.
template <class S>
S geluTanh(S x)
{
    using std::tanh;
    const double rootOfTwoOverPi = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
    const S inner = S(rootOfTwoOverPi) * (x + S(0.044715) * (x * x * x));
    return S(0.5) * x * (S(1) + tanh(inner));
}

/// 1 exp, 1 addition, 1 division.
template <class S>
S silu(S x)
{
    using std::exp;
    return x / (S(1) + exp(-x));
}

/// σ(x): 1 exp, 1 addition, 1 division.
template <class S>
S sigmoid(S x)
{
    using std::exp;
    return S(1) / (S(1) + exp(-x));
}

/// One value; executes what activationCount() says of one element.
template <class S>
S activated(Activation activation, S x)
{
    switch (activation) {
    case Activation::none: return x;
    case Activation::relu: return relu(x);
    case Activation::reluSquared: {
        const S positive = relu(x);
        return positive * positive;
    }
    case Activation::gelu: return gelu(x);
    case Activation::geluTanh: return geluTanh(x);
    case Activation::silu: return silu(x);
    }
    return x;
}

/// All values in place.
template <class S>
void activate(Activation activation, std::span<S> values)
{
    for (S& value : values) {
        value = activated(activation, value);
    }
}

} // namespace flopsmith::reference
