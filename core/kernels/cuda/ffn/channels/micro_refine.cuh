// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/micro_refine.h"
#include "core/kernels/cuda/device/launch.cuh"

#include <cstdint>

namespace flopsmith::cuda {

/// β, γ and δ of all channels, on the device.
struct RefinementValues
{
    const float* beta = nullptr;
    const float* gamma = nullptr;
    const float* delta = nullptr;

    __device__ float bend(std::int64_t channel, float z) const
    {
        return tanhf(fmaf(gamma[channel], z, delta[channel]));
    }
    /// β·tanh(γz + δ)
    __device__ float operator()(std::int64_t channel, float z) const
    {
        return beta[channel] * bend(channel, z);
    }
};

/// The terms that one refinement adds to the gradients of β, γ, δ and z.
struct RefinementShares
{
    float beta;
    float gamma;
    float delta;
    float z;
};

/// From the gradient g of β·tanh(γz + δ).
__device__ inline RefinementShares refinementBackward(const RefinementValues& values,
                                                      std::int64_t channel,
                                                      float z,
                                                      float g)
{
    const float h = values.bend(channel, z);
    const float gh = g * h;
    const float e = (g - gh * h) * values.beta[channel];
    return {gh, e * z, e, e * values.gamma[channel]};
}

} // namespace flopsmith::cuda
