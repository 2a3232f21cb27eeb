// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/product.h"
#include "core/kernels/cpu/simd/lanes.h"
#include "core/kernels/cpu/threads/parallel.h"

#include <cstdint>
#include <type_traits>
#include <utility>

// The micro-kernel of products with packed operands: a block of rows of the left matrix, packed
// tile by tile, times panels of the right one, with all sums of a tile in registers. See lanes.h
// for who may include it.
namespace flopsmith::cpu {

/// Inner values of a block (kc). Measured (README.md of this folder): with such long blocks,
/// reading and writing a tile's sums costs nothing, and a panel still fits the second-level cache.
inline constexpr std::int64_t kInnerAtOnce = 1024;

inline constexpr int kPanelLanes = 2;

/// Columns of a panel, which is [inner, kPanel] and filled up with zeros.
inline constexpr std::int64_t kPanel = kPanelLanes * kLanes;

inline std::int64_t panelsIn(std::int64_t columns)
{
    return (columns + kPanel - 1) / kPanel;
}

/// Rows of a packed block (mc) with so many inner values that fits the second-level cache together
/// with a panel.
std::int64_t rowsAtOnce(std::int64_t inner);

/// How the sums of the first kInnerAtOnce terms of a product are written. A result larger than the
/// second-level cache that is written once, like a weight's gradient, is streamed.
Sum firstSum(const ProductSize& size, const MatrixAt<float>& c, Into into);

/// Some rows of the left matrix by at most kInnerAtOnce inner values, cut into nearly equal tiles,
/// packed into scratch of the calling thread: one block at a time.
class RowBlock
{
public:
    /// At most rowsAtOnce(inner) rows.
    RowBlock(std::int64_t rows, std::int64_t inner);

    /// a [rows, inner], or [inner, rows] if stored transposed.
    void pack(const MatrixAt<const float>& a, Stored stored) const;

    /// How many panels add() multiplies together: several with few rows, where each panel is a
    /// stream from memory.
    std::int64_t panelsAtOnce() const { return m_panelsAtOnce; }

    /// c[rows, columns] (+)= block · panels: one panel, of which `columns` are used, or
    /// panelsAtOnce() whole contiguous ones.
    void add(const float* panels, std::int64_t columns, const MatrixAt<float>& c, Sum sum) const;

    /// The number of tiles, the rows of one, and the product of one tile by one whole panel:
    /// c[rows of the tile, kPanel] is overwritten.
    int tiles() const { return m_tiles; }
    Range rowsOf(int tile) const { return partOf(m_rows, m_tiles, tile); }
    void multiplyTile(int tile, const float* panel, const MatrixAt<float>& c) const;

private:
    template <class Each>
    void forEachTile(const Each& each) const;

    std::int64_t m_rows;
    std::int64_t m_inner;
    int m_tiles;
    std::int64_t m_panelsAtOnce;
};

/// Calls step(0) … step(Count − 1) with constants. In a plain loop over an array GCC 12 loads all
/// sums from memory before and stores them after it.
template <int Count, class Step>
[[gnu::always_inline]] inline void unrolled(const Step& step)
{
    [&]<int... Index>(std::integer_sequence<int, Index...> /*indices*/)
    {
        (step(std::integral_constant<int, Index>{}), ...);
    }
    (std::make_integer_sequence<int, Count>{});
}

/// Rows of a tile at most; each has one or two registers of sums per panel.
inline constexpr int kMaxTileRows = kLanes == 16 ? 12 : kLanes == 8 ? 6 : 4;
static_assert(kMaxTileRows <= kLanes);

/// Allocates the scratch of the calling thread; a product does so itself if this was not called.
void prepareRowBlocks();

} // namespace flopsmith::cpu
