// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/check.h"
#include "core/kernels/cuda/device/launch.cuh"

#include <cuda_bf16.h>

#include <cstdint>

// Element-wise work on the rows of a matrix with several adjacent elements per thread, so that
// loads and stores are 16 bytes wide.
namespace flopsmith::cuda {

template <int N>
struct Width
{
    static constexpr int value = N;
};

/// N adjacent elements, loaded and stored as one word.
template <class T, int N>
struct alignas(sizeof(T) * N) Pack
{
    T at[N];
};

__device__ inline float asFloat(float value)
{
    return value;
}
__device__ inline float asFloat(__nv_bfloat16 value)
{
    return __bfloat162float(value);
}
__device__ inline void setTo(float& to, float value)
{
    to = value;
}
__device__ inline void setTo(__nv_bfloat16& to, float value)
{
    to = __float2bfloat16(value);
}

/// N values from `first`, as float.
template <int N, class T>
__device__ Pack<float, N> load(const T* first)
{
    const Pack<T, N> raw = *reinterpret_cast<const Pack<T, N>*>(first);
    Pack<float, N> values;
    for (int i = 0; i < N; ++i) {
        values.at[i] = asFloat(raw.at[i]);
    }
    return values;
}

template <int N, class T>
__device__ void store(T* first, const Pack<float, N>& values)
{
    Pack<T, N> raw;
    for (int i = 0; i < N; ++i) {
        setTo(raw.at[i], values.at[i]);
    }
    *reinterpret_cast<Pack<T, N>*>(first) = raw;
}

constexpr int kElementThreads = 256;

template <int N, class Work>
__global__ void onElements(unsigned packs,
                           unsigned packsPerRow,
                           std::int64_t firstRow,
                           std::int64_t firstColumn,
                           Work work)
{
    const unsigned pack = blockIdx.x * blockDim.x + threadIdx.x;
    if (pack < packs) {
        const unsigned row = pack / packsPerRow;
        const std::int64_t column = static_cast<std::int64_t>(pack - row * packsPerRow) * N;
        work(firstRow + row, firstColumn + column, Width<N>{});
    }
}

/// Packs per launch, so that 32-bit indices suffice.
constexpr std::int64_t kMaxPacks = std::int64_t{1} << 31;

/// Calls work(row, column, Width<N>{}) for each pack of N adjacent elements of a [rows, columns]
/// matrix, one pack per thread. N is 4 if that divides the columns, else 1; with N = 4 all rows
/// that `work` loads with load<N>() must be aligned to 16 bytes (whole buffers with stride
/// `columns` are). `work` is copied to the device: values and device pointers only. Its signature
/// is
///     template <int N> __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
/// Matrices with more than kMaxPacks packs take several launches.
template <class Work>
void forEachElement(const Device& device,
                    std::int64_t rows,
                    std::int64_t columns,
                    const Work& work,
                    std::int64_t maxPacks = kMaxPacks)
{
    if (rows == 0 || columns == 0) {
        return;
    }
    FLOPSMITH_CHECK(maxPacks >= 1 && maxPacks <= kMaxPacks);
    const bool packed = columns % 4 == 0;
    const std::int64_t packsPerRow = packed ? columns / 4 : columns;
    const std::int64_t ofRowAtOnce = packsPerRow < maxPacks ? packsPerRow : maxPacks;
    const std::int64_t rowsAtOnce = maxPacks / ofRowAtOnce;
    for (std::int64_t row = 0; row < rows; row += rowsAtOnce) {
        const std::int64_t rowsNow = rows - row < rowsAtOnce ? rows - row : rowsAtOnce;
        for (std::int64_t pack = 0; pack < packsPerRow; pack += ofRowAtOnce) {
            const std::int64_t left = packsPerRow - pack;
            const std::int64_t now = left < ofRowAtOnce ? left : ofRowAtOnce;
            const auto packs = static_cast<unsigned>(rowsNow * now);
            launch(device,
                   dividedUp(packs, kElementThreads),
                   kElementThreads,
                   0,
                   packed ? &onElements<4, Work> : &onElements<1, Work>,
                   packs,
                   static_cast<unsigned>(now),
                   row,
                   packed ? pack * 4 : pack,
                   work);
        }
    }
}

} // namespace flopsmith::cuda
