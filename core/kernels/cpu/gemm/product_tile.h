// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/product.h"
#include "core/kernels/cpu/simd/lanes.h"
#include "core/kernels/cpu/threads/parallel.h"

#include <cstdint>
#include <type_traits>
#include <utility>

// What products with packed operands are made of: a block of rows of the left matrix, packed tile
// by tile, times panels of the right one, with all sums of a tile in registers. Only the sources of
// this folder include it, see lanes.h.
namespace flopsmith::cpu {

/// Inner rows that are multiplied at once. Measured (README.md of this room): with so many, the sums
/// of a tile are read and written so seldom that they cost nothing, and a panel still stays in the
/// second-level cache.
inline constexpr std::int64_t kInnerAtOnce = 1024;

inline constexpr int kPanelLanes = 2;

/// Columns of a panel, which is [inner, kPanel] and filled up with zeros.
inline constexpr std::int64_t kPanel = kPanelLanes * kLanes;

inline std::int64_t panelsIn(std::int64_t columns)
{
    return (columns + kPanel - 1) / kPanel;
}

/// Rows of so many inner values whose packed block stays in the second-level cache, beside a panel.
std::int64_t rowsAtOnce(std::int64_t inner);

/// What becomes of the sums of a tile: they overwrite c, are accumulated into it, or overwrite it by
/// streaming stores, which spare reading what is overwritten. The last needs whole panels, c at a
/// register's boundary and a stride of whole registers, and fenceStreamingStores() after the last.
enum class Sum { overwrite, accumulate, stream };

/// What becomes of the sums of the first kInnerAtOnce terms of a product. Streamed is a result larger
/// than the second-level cache that is written once and whole, as gradients of weights are.
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

    /// How many panels add() takes at once: several where there are few rows, which wait for
    /// streams from memory.
    std::int64_t panelsAtOnce() const { return m_panelsAtOnce; }

    /// c[rows, columns] (+)= block · panels: one panel, of which `columns` count, or panelsAtOnce()
    /// whole ones that lie one after the other.
    void add(const float* panels, std::int64_t columns, const MatrixAt<float>& c, Sum sum) const;

    /// The tiles that the rows are cut into, and the rows of one; the same for these alone, one
    /// whole panel, c[their number, kPanel] ← their product.
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

/// Calls step(0) … step(Count − 1), each a constant: in a loop over an array GCC 12 keeps sums in
/// registers, but begins and ends with all of them in memory.
template <int Count, class Step>
[[gnu::always_inline]] inline void unrolled(const Step& step)
{
    [&]<int... Index>(std::integer_sequence<int, Index...> /*indices*/)
    {
        (step(std::integral_constant<int, Index>{}), ...);
    }
    (std::make_integer_sequence<int, Count>{});
}

/// Rows of a tile at most: one register or two of each of them are summed at once.
inline constexpr int kMaxTileRows = kLanes == 16 ? 12 : kLanes == 8 ? 6 : 4;
static_assert(kMaxTileRows <= kLanes);

/// Allocates the scratch of the calling thread; a product does so itself if this was not called.
void prepareRowBlocks();

} // namespace flopsmith::cpu
