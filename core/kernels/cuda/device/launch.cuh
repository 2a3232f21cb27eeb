// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/device/device.h"

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

// Kernel launches and dynamic shared memory without <<<…>>>, so that the same sources also compile
// without nvcc: tests on the host emulate launch(), sharedMemory() and CUDA's built-in variables
// and functions.
namespace flopsmith::cuda {

constexpr int kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffffU;

inline int dividedUp(std::int64_t count, std::int64_t by)
{
    return static_cast<int>((count + by - 1) / by);
}

#ifdef __CUDACC__

/// Enqueues kernel(arguments…) on `grid` blocks of `block` threads with `sharedBytes` of dynamic
/// shared memory. An empty grid does nothing. Throws if the launch itself fails.
template <class... Parameters>
void launch(const Device& device,
            dim3 grid,
            dim3 block,
            std::size_t sharedBytes,
            void (*kernel)(Parameters...),
            std::type_identity_t<Parameters>... arguments)
{
    if (grid.x == 0 || grid.y == 0 || grid.z == 0) {
        return;
    }
    constexpr std::size_t kSharedWithoutAsking = std::size_t{48} << 10;
    const auto* function = reinterpret_cast<const void*>(kernel);
    if (sharedBytes > kSharedWithoutAsking) {
        check(cudaFuncSetAttribute(function,
                                   cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(sharedBytes)),
              "give a kernel its shared memory");
    }
    void* pointers[] = {const_cast<void*>(static_cast<const void*>(&arguments))..., nullptr};
    check(cudaLaunchKernel(function, grid, block, pointers, sharedBytes, device.stream()),
          "start a kernel");
}

/// The block's dynamic shared memory.
template <class T>
__device__ T* sharedMemory()
{
    extern __shared__ __align__(16) unsigned char memory[];
    return reinterpret_cast<T*>(memory);
}

#endif

} // namespace flopsmith::cuda
