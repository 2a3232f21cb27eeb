// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/bf16/bf16_product.h"
#include "core/kernels/cpu/simd/buffer.h"

#include <cstddef>
#include <cstdint>

namespace flopsmith::cpu {

/// The columns of a panel in rows in tiles.
struct TileColumns
{
    Bfloat16* first; ///< of the first row, which is the first of a tile
    std::int64_t inner; ///< values of the block

    /// The columns of a row, one after the other.
    Bfloat16* row(std::int64_t row) const { return first + placeInTiles(row, 0, inner); }
};

/// The rows of a left operand in bfloat16, rounded slice by slice.
class RoundedRows
{
public:
    RoundedRows(std::int64_t rows, std::int64_t inner);

    /// Rounds some rows of x [·, inner], from the first of a tile on.
    void round(const float* x, const Range& rows);

    /// Rows from `row`, the first of a tile, on; columns from the first of a panel on.
    TileColumns columnsAt(std::int64_t row, std::int64_t column);

    LeftTiles tiles() const { return {m_rows, m_blocks, values()}; }

private:
    const Bfloat16* values() const { return reinterpret_cast<const Bfloat16*>(m_values.data()); }

    std::int64_t m_rows;
    InnerBlocks m_blocks;
    Buffer m_values; ///< each float holds two bfloat16
};

} // namespace flopsmith::cpu
