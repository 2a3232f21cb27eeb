// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/device/launch.cuh"

// Sums and maxima over the threads of a warp or a block. Every thread takes part and every thread
// gets the result. Blocks are whole warps.
namespace flopsmith::cuda {

struct Plus
{
    __device__ float operator()(float a, float b) const { return a + b; }
};

struct Larger
{
    __device__ float operator()(float a, float b) const { return a > b ? a : b; }
};

template <class Combine>
__device__ float overWarp(float value, Combine combine)
{
    for (int distance = kWarp / 2; distance > 0; distance /= 2) {
        value = combine(value, __shfl_xor_sync(kAllLanes, value, distance));
    }
    return value;
}

/// Contains two barriers, so that it may be called again immediately.
template <class Combine>
__device__ float overBlock(float value, float neutral, Combine combine)
{
    __shared__ float ofWarps[kWarp];
    const int thread = static_cast<int>(threadIdx.x);
    const int warps = static_cast<int>(blockDim.x) / kWarp;
    value = overWarp(value, combine);
    __syncthreads(); // a previous call may still read
    if (thread % kWarp == 0) {
        ofWarps[thread / kWarp] = value;
    }
    __syncthreads();
    const int lane = thread % kWarp;
    return overWarp(lane < warps ? ofWarps[lane] : neutral, combine);
}

__device__ inline float sumOverWarp(float value)
{
    return overWarp(value, Plus{});
}
__device__ inline float maxOverWarp(float value)
{
    return overWarp(value, Larger{});
}
__device__ inline float sumOverBlock(float value)
{
    return overBlock(value, 0.0F, Plus{});
}
/// Of values that are at least `minimum` (−infinity).
__device__ inline float maxOverBlock(float value, float minimum)
{
    return overBlock(value, minimum, Larger{});
}

/// Threads for a block that works on one row of `columns` values: whole warps, at most 256.
inline int threadsForRow(std::int64_t columns)
{
    constexpr std::int64_t kMax = 256;
    const std::int64_t wanted = (columns + kWarp - 1) / kWarp * kWarp;
    return static_cast<int>(wanted < kWarp ? kWarp : (wanted > kMax ? kMax : wanted));
}

} // namespace flopsmith::cuda
