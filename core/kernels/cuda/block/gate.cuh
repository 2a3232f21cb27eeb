// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/block/activation.cuh"
#include "core/layer/gate_values.h"

#include <limits>

namespace flopsmith::cuda {

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
