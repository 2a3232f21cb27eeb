// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/device/launch.cuh"
#include "core/kernels/cuda/gemm/product.h"

#include <cstdint>

// Column sums in which a thread owns a column: it sums over the rows of its part, without atomics,
// so that results are reproducible to the bit.
namespace flopsmith::cuda {

constexpr int kColumnsPerBlock = 128;

/// Rows split into parts, so that column blocks times parts fill the device.
struct RowParts
{
    std::int64_t rows = 0;
    std::int64_t rowsPerPart = 1;
    std::int64_t count = 0;

    RowParts() = default;
    RowParts(const Device& device, std::int64_t allRows, std::int64_t columns);

    dim3 grid(std::int64_t columns) const
    {
        return {static_cast<unsigned>(dividedUp(columns, kColumnsPerBlock)),
                static_cast<unsigned>(count),
                1};
    }
};

/// The rows of the block's part, and the column of a thread.
struct PartOfRows
{
    std::int64_t first;
    std::int64_t last;
    std::int64_t column;

    __device__ PartOfRows(std::int64_t rows, std::int64_t rowsPerPart)
        : first(static_cast<std::int64_t>(blockIdx.y) * rowsPerPart)
        , last(first + rowsPerPart < rows ? first + rowsPerPart : rows)
        , column(static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x)
    {}
};

/// sums[column] = (or +=) Σ over the parts of partial[part, column], in the same order every time.
void addParts(const Device& device,
              const float* partial,
              std::int64_t parts,
              std::int64_t columns,
              float* sums,
              Into into = Into::overwrite);

} // namespace flopsmith::cuda
