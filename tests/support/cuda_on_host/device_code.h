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
inline int __syncthreads_or(int value)
{
    return ::cuda_on_host::countInBlock(value != 0) > 0 ? 1 : 0;
}
inline int __syncthreads_and(int value)
{
    return ::cuda_on_host::countInBlock(value == 0) == 0 ? 1 : 0;
}
inline void __syncwarp(unsigned mask = 0xffffffffU)
{
    ::cuda_on_host::waitForWarp(mask);
}
inline void __threadfence() {}
inline void __threadfence_block() {}

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
T __shfl_sync(unsigned mask, T value, int source, int width = 32)
{
    const int first = ::cuda_on_host::lane() / width * width;
    return ::cuda_on_host::exchangeAs(mask, value, first + source % width);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32)
{
    const int other = ::cuda_on_host::lane() ^ bits;
    return ::cuda_on_host::exchangeAs(mask, value, ::cuda_on_host::within(other, width));
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned distance, int width = 32)
{
    const int other = ::cuda_on_host::lane() + static_cast<int>(distance);
    return ::cuda_on_host::exchangeAs(mask, value, ::cuda_on_host::within(other, width));
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned distance, int width = 32)
{
    const int other = ::cuda_on_host::lane() - static_cast<int>(distance);
    return ::cuda_on_host::exchangeAs(mask, value, ::cuda_on_host::within(other, width));
}
inline unsigned __ballot_sync(unsigned mask, int value)
{
    return ::cuda_on_host::ballot(mask, value != 0);
}
inline int __any_sync(unsigned mask, int value)
{
    return ::cuda_on_host::ballot(mask, value != 0) != 0 ? 1 : 0;
}
inline int __all_sync(unsigned mask, int value)
{
    return ::cuda_on_host::ballot(mask, value == 0) == 0 ? 1 : 0;
}

template <class T>
T atomicAdd(T* to, std::type_identity_t<T> value)
{
    const T before = *to;
    *to = before + value;
    return before;
}
template <class T>
T atomicMax(T* to, std::type_identity_t<T> value)
{
    const T before = *to;
    *to = std::max(before, value);
    return before;
}
template <class T>
T atomicMin(T* to, std::type_identity_t<T> value)
{
    const T before = *to;
    *to = std::min(before, value);
    return before;
}
template <class T>
T atomicOr(T* to, std::type_identity_t<T> value)
{
    const T before = *to;
    *to = before | value;
    return before;
}
template <class T>
T atomicExch(T* to, std::type_identity_t<T> value)
{
    const T before = *to;
    *to = value;
    return before;
}
template <class T>
T atomicCAS(T* to, std::type_identity_t<T> expected, std::type_identity_t<T> value)
{
    const T before = *to;
    if (before == expected) {
        *to = value;
    }
    return before;
}

template <class T>
T __ldg(const T* from)
{
    return *from;
}
inline int __popc(unsigned bits)
{
    return std::popcount(bits);
}
inline int __clz(int bits)
{
    return std::countl_zero(static_cast<unsigned>(bits));
}
inline int __ffs(int bits)
{
    return bits == 0 ? 0 : std::countr_zero(static_cast<unsigned>(bits)) + 1;
}
inline unsigned __float_as_uint(float value)
{
    return std::bit_cast<unsigned>(value);
}
inline int __float_as_int(float value)
{
    return std::bit_cast<int>(value);
}
inline float __uint_as_float(unsigned bits)
{
    return std::bit_cast<float>(bits);
}
inline float __int_as_float(int bits)
{
    return std::bit_cast<float>(bits);
}
inline float rsqrtf(float x)
{
    return 1.0F / std::sqrt(x);
}
inline void sincospif(float x, float* sine, float* cosine)
{
    *sine = static_cast<float>(std::sin(M_PI * static_cast<double>(x)));
    *cosine = static_cast<float>(std::cos(M_PI * static_cast<double>(x)));
}
