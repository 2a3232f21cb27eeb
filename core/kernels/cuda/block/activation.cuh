// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/device/launch.cuh"
#include "core/layer/activation.h"
#include "core/layer/gate_values.h"

#include <limits>

// Activations of one value, with the formulas of core/kernels/reference/activation.h.
namespace flopsmith::cuda {

__device__ inline float sigmoid(float x)
{
    return 1.0F / (1.0F + expf(-x));
}

__device__ inline float activated(Activation activation, float x)
{
    constexpr float kRootOfHalf = 0.70710678118654752F;
    constexpr float kRootOfTwoOverPi = 0.79788456080286536F;
    switch (activation) {
    case Activation::none: return x;
    case Activation::relu: return x < 0.0F ? 0.0F : x;
    case Activation::reluSquared: return x < 0.0F ? 0.0F : x * x;
    case Activation::gelu: return 0.5F * x * (1.0F + erff(x * kRootOfHalf));
    case Activation::geluTanh:
        return 0.5F * x * (1.0F + tanhf(kRootOfTwoOverPi * (x + 0.044715F * x * x * x)));
    case Activation::silu: return x * sigmoid(x);
    }
    return x;
}

/// act'(x)
__device__ inline float slopeOf(Activation activation, float x)
{
    constexpr float kRootOfHalf = 0.70710678118654752F;
    constexpr float kRootOfTwoOverPi = 0.79788456080286536F;
    constexpr float kOneOverRootOfTwoPi = 0.39894228040143268F;
    switch (activation) {
    case Activation::none: return 1.0F;
    case Activation::relu: return x < 0.0F ? 0.0F : 1.0F;
    case Activation::reluSquared: return x < 0.0F ? 0.0F : 2.0F * x;
    case Activation::gelu:
        return 0.5F * (1.0F + erff(x * kRootOfHalf))
            + x * kOneOverRootOfTwoPi * expf(-0.5F * x * x);
    case Activation::geluTanh: {
        const float scaled = 0.044715F * x * x;
        const float t = tanhf(kRootOfTwoOverPi * (x + scaled * x));
        return 0.5F * (1.0F + t)
            + 0.5F * x * (1.0F - t * t) * kRootOfTwoOverPi * (1.0F + 3.0F * scaled);
    }
    case Activation::silu: {
        const float s = sigmoid(x);
        return s * (1.0F + x * (1.0F - s));
    }
    }
    return 1.0F;
}

/// The factors of a gated feature, hidden = opened(gate)·factor(up), and their derivatives.
struct Gate
{
    Activation activation;
    float limit; ///< infinite without one
    float slope; ///< of SiLU
    float offset;

    /// `values` are those that change something.
    Gate(Activation act, const GateValues& values)
        : activation(act)
        , limit(values.limits() ? static_cast<float>(values.limit)
                                : std::numeric_limits<float>::infinity())
        , slope(static_cast<float>(values.siluSlope))
        , offset(static_cast<float>(values.upOffset))
    {}

    __device__ float opened(float gate) const
    {
        const float x = gate > limit ? limit : gate;
        return activation == Activation::silu ? x * sigmoid(slope * x) : activated(activation, x);
    }

    __device__ float openedSlope(float gate) const
    {
        if (gate > limit) {
            return 0.0F;
        }
        if (activation != Activation::silu) {
            return slopeOf(activation, gate);
        }
        const float s = sigmoid(slope * gate);
        return s * (1.0F + slope * gate * (1.0F - s));
    }

    __device__ float factor(float up) const
    {
        return (fabsf(up) > limit ? copysignf(limit, up) : up) + offset;
    }

    __device__ float factorSlope(float up) const { return fabsf(up) > limit ? 0.0F : 1.0F; }
};

} // namespace flopsmith::cuda
