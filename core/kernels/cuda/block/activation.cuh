// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/device/launch.cuh"
#include "core/layer/activation.h"

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

} // namespace flopsmith::cuda
