// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/reference/counting_scalar.h"
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

/// slope·x in SiLU's exponent, which replaces a change of sign and is free like it.
template <class S>
S sloped(S x, double slope)
{
    return slope == 1.0 ? x : S(slope * valueOf(x));
}

/// x·σ(slope·x): 1 exp, 1 addition, 1 division.
template <class S>
S silu(S x, double slope = 1.0)
{
    using std::exp;
    return x / (S(1) + exp(-sloped(x, slope)));
}

/// σ(x): 1 exp, 1 addition, 1 division.
template <class S>
S sigmoid(S x)
{
    using std::exp;
    return S(1) / (S(1) + exp(-x));
}

/// The activation of one value; executes activationCount() of one element.
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

/// dy·relu'(x): 1 comparison.
template <class S>
S reluBackward(S x, S dy)
{
    return x < S(0) ? S(0) : dy;
}

/// 7 multiplications, 2 additions, 1 erf, 1 exp.
template <class S>
S geluBackward(S x, S dy)
{
    using std::erf;
    using std::exp;
    const S cdf = S(0.5) * (S(1) + erf(x * S(std::numbers::sqrt2 / 2)));
    const double oneOverRootOfTwoPi = std::numbers::inv_sqrtpi * std::numbers::sqrt2 / 2;
    const S pdf = S(oneOverRootOfTwoPi) * exp(-(S(0.5) * x * x));
    return dy * (cdf + x * pdf);
}

/// 12 multiplications, 5 additions, 1 tanh.
template <class S>
S geluTanhBackward(S x, S dy)
{
    using std::tanh;
    const S rootOfTwoOverPi = S(std::numbers::sqrt2 * std::numbers::inv_sqrtpi);
    const S square = x * x;
    const S scaled = S(0.044715) * square;
    const S t = tanh(rootOfTwoOverPi * (x + scaled * x));
    const S slope = rootOfTwoOverPi * (S(1) + S(3) * scaled);
    return dy * (S(0.5) * (S(1) + t) + S(0.5) * x * (S(1) - t * t) * slope);
}

/// 3 multiplications, 3 additions, 1 division, 1 exp.
template <class S>
S siluBackward(S x, S dy, double slope = 1.0)
{
    using std::exp;
    const S inner = sloped(x, slope);
    const S sigma = S(1) / (S(1) + exp(-inner));
    return dy * (sigma * (S(1) + inner * (S(1) - sigma)));
}

/// dy·act'(x); executes activationBackwardCount() of one element.
template <class S>
S activationBackward(Activation activation, S x, S dy)
{
    switch (activation) {
    case Activation::none: return dy;
    case Activation::relu: return reluBackward(x, dy);
    case Activation::reluSquared: return S(2) * relu(x) * dy;
    case Activation::gelu: return geluBackward(x, dy);
    case Activation::geluTanh: return geluTanhBackward(x, dy);
    case Activation::silu: return siluBackward(x, dy);
    }
    return dy;
}

/// gradients ← gradients·act'(x), in place; x is the input of the activation.
template <class S>
void activateBackward(Activation activation, std::span<const S> x, std::span<S> gradients)
{
    for (std::size_t i = 0; i < x.size(); ++i) {
        gradients[i] = activationBackward(activation, x[i], gradients[i]);
    }
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
