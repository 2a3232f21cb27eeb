// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Included before every source of the CUDA back end when a C++ compiler compiles it for the host
// (-include): CUDA's words for device code, with the toolkit's own types.
#include "core/kernels/cuda/device/device.h"
#include "tests/support/cuda_on_host/block.h"
#include "tests/support/cuda_on_host/runtime.h"

#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#undef __shared__
#define __shared__ static // one block runs at a time
#define threadIdx (::cuda_on_host::thisThread().thread)
#define blockIdx (::cuda_on_host::thisThread().block)
#define blockDim (::cuda_on_host::thisThread().blockSize)
#define gridDim (::cuda_on_host::thisThread().gridSize)
#define warpSize 32

namespace flopsmith::cuda {

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
    [[maybe_unused]] const auto expect = [](const auto& argument) {
        if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(argument)>>) {
            ::cuda_on_host::expectOnDevice(argument, "a kernel");
        }
    };
    (expect(arguments), ...);
    ::cuda_on_host::enqueue(device.stream(), [=] {
        ::cuda_on_host::runBlocks(grid, block, sharedBytes, [&] { kernel(arguments...); });
    });
}

template <class T>
T* sharedMemory()
{
    return static_cast<T*>(::cuda_on_host::dynamicSharedMemory());
}

} // namespace flopsmith::cuda

inline void __syncthreads()
{
    ::cuda_on_host::waitForBlock();
}
inline int __syncthreads_count(int value)
{
    return ::cuda_on_host::countInBlock(value != 0);
}

namespace cuda_on_host {

template <class T>
T exchangeAs(unsigned mask, T value, int source)
{
    static_assert(sizeof(T) <= sizeof(std::uint64_t));
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    bits = exchange(mask, bits, source);
    std::memcpy(&value, &bits, sizeof(T));
    return value;
}

/// The lane that a shuffle reads: `other`, unless it lies outside of the own group of `width`.
inline int within(int other, int width)
{
    return other / width == lane() / width && other >= 0 ? other : lane();
}

} // namespace cuda_on_host

template <class T>
T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32)
{
    const int other = ::cuda_on_host::lane() ^ bits;
    return ::cuda_on_host::exchangeAs(mask, value, ::cuda_on_host::within(other, width));
}
inline unsigned __ballot_sync(unsigned mask, int value)
{
    return ::cuda_on_host::ballot(mask, value != 0);
}
inline int __popc(unsigned bits)
{
    return std::popcount(bits);
}
inline int __clz(int bits)
{
    return std::countl_zero(static_cast<unsigned>(bits));
}
inline unsigned __float_as_uint(float value)
{
    return std::bit_cast<unsigned>(value);
}
