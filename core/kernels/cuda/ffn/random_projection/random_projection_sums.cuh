// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/random_projection.h"
#include "core/kernels/cuda/device/launch.cuh"

#include <cstdint>
#include <vector>

// Sums of ±x over the non-zeros of each row of a sparse sign matrix. A warp handles 32 tokens, one
// per lane, and loops over the non-zeros of its rows. It gathers x from shared memory, where the
// lanes' addresses fall into different banks.
namespace flopsmith::cuda {

/// A matrix of signs for these sums, or its transpose.
class SignRows
{
public:
    static constexpr int kTokens = kWarp;
    static constexpr int kPitch = kTokens + 1; ///< of a shared column; avoids bank conflicts
    static constexpr int kChunk = 256; ///< columns in shared memory at once
    static constexpr int kRowsPerWarp = 8;
    static constexpr int kWarps = 8;
    static constexpr int kRows = kRowsPerWarp * kWarps;

    struct View
    {
        int rows;
        int columns;
        int chunks;
        const int* starts; ///< [rows, chunks + 1]: where a row's entries of each chunk begin
        const unsigned* entries; ///< index within the chunk; the highest bit is the sign
    };

    static SignRows straight(const Device& device, const SignMatrix& matrix);
    static SignRows transposed(const Device& device, const SignMatrix& matrix);

    const View& view() const { return m_view; }

private:
    SignRows(const Device& device, int columns, const std::vector<std::vector<std::int32_t>>& rows);

    DeviceBuffer<int> m_starts;
    DeviceBuffer<unsigned> m_entries;
    View m_view{};
};

/// Calls finish(token, row, sum) for every row and token; consecutive threads get consecutive rows.
template <class Finish>
__global__ void signedSums(SignRows::View matrix,
                           const float* x,
                           std::int64_t tokens,
                           Finish finish)
{
    constexpr int kTokens = SignRows::kTokens;
    constexpr int kPitch = SignRows::kPitch;
    constexpr int kChunk = SignRows::kChunk;
    constexpr int kRows = SignRows::kRows;
    constexpr int kRowPitch = kRows + 1;
    constexpr unsigned kSign = 1U << 31;
    static_assert(kTokens * kRowPitch <= kChunk * kPitch);
    __shared__ float tile[kChunk * kPitch]; // [column, token], in the end [token, row]
    const int thread = static_cast<int>(threadIdx.x);
    const int threads = static_cast<int>(blockDim.x);
    const int lane = thread % kWarp;
    const int firstOfWarp = thread / kWarp * SignRows::kRowsPerWarp;
    const std::int64_t firstToken = static_cast<std::int64_t>(blockIdx.x) * kTokens;
    const int firstRow = static_cast<int>(blockIdx.y) * kRows;
    float sums[SignRows::kRowsPerWarp] = {};
    for (int chunk = 0; chunk < matrix.chunks; ++chunk) {
        __syncthreads();
        for (int i = thread; i < kTokens * kChunk; i += threads) {
            const std::int64_t token = firstToken + i / kChunk;
            const int column = chunk * kChunk + i % kChunk;
            const bool exists = token < tokens && column < matrix.columns;
            tile[i % kChunk * kPitch + i / kChunk] =
                exists ? x[token * matrix.columns + column] : 0.0F;
        }
        __syncthreads();
        for (int r = 0; r < SignRows::kRowsPerWarp; ++r) {
            const int row = firstRow + firstOfWarp + r;
            if (row < matrix.rows) {
                const int* starts =
                    matrix.starts + static_cast<std::int64_t>(row) * (matrix.chunks + 1) + chunk;
                const int last = starts[1];
                for (int at = starts[0]; at < last; ++at) {
                    const unsigned entry = matrix.entries[at];
                    const float value = tile[(entry & ~kSign) * kPitch + lane];
                    sums[r] += __uint_as_float(__float_as_uint(value) ^ (entry & kSign));
                }
            }
        }
    }
    __syncthreads();
    for (int r = 0; r < SignRows::kRowsPerWarp; ++r) {
        tile[lane * kRowPitch + firstOfWarp + r] = sums[r];
    }
    __syncthreads();
    for (int i = thread; i < kTokens * kRows; i += threads) {
        const std::int64_t token = firstToken + i / kRows;
        const int row = firstRow + i % kRows;
        if (token < tokens && row < matrix.rows) {
            finish(token, row, tile[i / kRows * kRowPitch + i % kRows]);
        }
    }
}

/// x [tokens, columns].
template <class Finish>
void sumSigned(const Device& device,
               const SignRows& matrix,
               const float* x,
               std::int64_t tokens,
               const Finish& finish)
{
    const dim3 grid(static_cast<unsigned>(dividedUp(tokens, SignRows::kTokens)),
                    static_cast<unsigned>(dividedUp(matrix.view().rows, SignRows::kRows)));
    launch(device,
           grid,
           SignRows::kWarps * kWarp,
           0,
           &signedSums<Finish>,
           matrix.view(),
           x,
           tokens,
           finish);
}

} // namespace flopsmith::cuda
