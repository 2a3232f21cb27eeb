// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/device/launch.cuh"

// Loops, sums and maxima over the threads of a block of whole warps. Every thread takes part and every
// thread gets the result.
namespace flopsmith::cuda {

template <class Combine>
__device__ float overWarp(float value, const Combine& combine)
{
    for (int distance = kWarp / 2; distance > 0; distance /= 2) {
        value = combine(value, __shfl_xor_sync(kAllLanes, value, distance));
    }
    return value;
}

/// Contains two barriers, so that it may be called again immediately.
template <class Combine>
__device__ float overBlock(float value, float neutral, const Combine& combine)
{
    __shared__ float ofWarps[kWarp];
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    value = overWarp(value, combine);
    __syncthreads(); // a previous call may still read
    if (lane == 0) {
        ofWarps[threadIdx.x / kWarp] = value;
    }
    __syncthreads();
    const int warps = static_cast<int>(blockDim.x) / kWarp;
    return overWarp(lane < warps ? ofWarps[lane] : neutral, combine);
}

/// work(i) for every i in [first, end), each by one thread.
template <class Work>
__device__ void shareOut(Index first, Index end, const Work& work)
{
    for (Index i = first + threadIdx.x; i < end; i += blockDim.x) {
        work(i);
    }
}

/// Σ value(i) over [first, end)
template <class Value>
__device__ float sumOverBlock(Index first, Index end, const Value& value)
{
    float sum = 0.0F;
    shareOut(first, end, [&](Index i) { sum += value(i); });
    return overBlock(sum, 0.0F, [](float a, float b) { return a + b; });
}

/// The largest value(i) over [first, end), −infinity if there is none.
template <class Value>
__device__ float maxOverBlock(Index first, Index end, const Value& value)
{
    float largest = -INFINITY;
    shareOut(first, end, [&](Index i) { largest = fmaxf(largest, value(i)); });
    return overBlock(largest, -INFINITY, [](float a, float b) { return a > b ? a : b; });
}

/// Threads for a block that works on one row of `columns` values: whole warps, at most 256.
inline int threadsForRow(std::int64_t columns)
{
    constexpr std::int64_t kMax = 256;
    const std::int64_t wanted = (columns + kWarp - 1) / kWarp * kWarp;
    return static_cast<int>(wanted < kWarp ? kWarp : (wanted > kMax ? kMax : wanted));
}

} // namespace flopsmith::cuda
