// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/device/launch.cuh"

// Cooperative groups of threads that work on one row, or on one group of its values: a warp or a
// block.
namespace flopsmith::cuda {

__device__ inline int sumOfWarp(int value)
{
    for (int distance = kWarp / 2; distance > 0; distance /= 2) {
        value += __shfl_xor_sync(kAllLanes, value, distance);
    }
    return value;
}

/// One warp; other warps of its block may do something else meanwhile.
struct WarpTeam
{
    __device__ int thread() const { return static_cast<int>(threadIdx.x) % kWarp; }
    __device__ int size() const { return kWarp; }
    __device__ int sum(int value) { return sumOfWarp(value); }
};

/// The whole block.
struct BlockTeam
{
    int turn = 0; ///< half of the double buffer, which saves a second barrier

    __device__ int thread() const { return static_cast<int>(threadIdx.x); }
    __device__ int size() const { return static_cast<int>(blockDim.x); }
    __device__ int sum(int value)
    {
        __shared__ int ofWarps[2][kWarp];
        value = sumOfWarp(value);
        if (threadIdx.x % kWarp == 0) {
            ofWarps[turn][threadIdx.x / kWarp] = value;
        }
        __syncthreads();
        int total = 0;
        for (int warp = 0; warp < size() / kWarp; ++warp) {
            total += ofWarps[turn][warp];
        }
        turn = 1 - turn;
        return total;
    }
};

} // namespace flopsmith::cuda
