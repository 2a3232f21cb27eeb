// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/bf16/bf16_block.h"
#include "core/kernels/cpu/gemm/bf16/bf16_packing.h"
#include "core/kernels/cpu/gemm/precision.h"
#include "core/kernels/cpu/gemm/product.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace flopsmith::cpu {

/// The inner values of a product, cut into blocks of nearly equal size; the same for both operands.
class InnerBlocks
{
public:
    /// Blocks whose rows are rounded together for all columns.
    static constexpr int kMaxAtOnce = 12;

    explicit InnerBlocks(std::int64_t inner)
        : m_inner(inner)
        , m_count(static_cast<int>((inner + BlockSize::kMaxInner - 1) / BlockSize::kMaxInner))
    {}

    std::int64_t inner() const { return m_inner; }
    int count() const { return m_count; }
    Range at(int block) const { return partOf(m_inner, m_count, block, BlockSize::kInnerGrain); }

    /// The block that has an inner value.
    Range around(std::int64_t value) const
    {
        // Blocks differ by at most a grain, so that this is off by at most one.
        int block = static_cast<int>(value * m_count / m_inner);
        while (at(block).last <= value) {
            ++block;
        }
        while (at(block).first > value) {
            --block;
        }
        return at(block);
    }

private:
    std::int64_t m_inner;
    int m_count;
};

/// The rows of a block's panels.
inline std::int64_t heightOf(const Range& inner)
{
    return roundedUp(inner.size(), BlockSize::kInnerGrain);
}

/// The results of a block of rows by some columns of Count right operands: panels of
/// [rows, BlockSize::kPanel], the first panels of all operands before the second ones.
template <std::size_t Count>
class BlockSums
{
public:
    BlockSums(float* first, std::int64_t panelSize)
        : m_first(first)
        , m_panelSize(panelSize)
    {}

    float* panel(std::int64_t panel, std::size_t operand = 0) const
    {
        constexpr auto kCount = static_cast<std::int64_t>(Count);
        return m_first + (panel * kCount + static_cast<std::int64_t>(operand)) * m_panelSize;
    }

private:
    float* m_first;
    std::int64_t m_panelSize;
};

/// Writes a block's sums, [rows, columns], to c; see Sum.
void storeBlock(const BlockSums<1>& sums,
                std::int64_t rows,
                std::int64_t columns,
                const MatrixAt<float>& c,
                Sum sum);

/// A left operand in bfloat16, or some of its rows: all rows of the first block of inner values,
/// stored like a LeftBlock, then those of the next.
class LeftTiles
{
public:
    /// All blocks of inner values; `values` holds `rows` rows.
    LeftTiles(std::int64_t rows, const InnerBlocks& blocks, const Bfloat16* values)
        : LeftTiles(rows, blocks, 0, blocks.count(), values)
    {}

    /// The blocks from `first` on, before `end`.
    LeftTiles(std::int64_t rows,
              const InnerBlocks& blocks,
              int first,
              int end,
              const Bfloat16* values)
        : m_blocks(blocks)
        , m_first(first)
        , m_end(end)
        , m_rows(roundedUp(rows, BlockSize::kRowGrain))
        , m_values(values)
    {}

    static std::int64_t elements(std::int64_t rows, std::int64_t inner)
    {
        return roundedUp(rows, BlockSize::kRowGrain) * roundedUp(inner, BlockSize::kInnerGrain);
    }

    const InnerBlocks& blocks() const { return m_blocks; }
    int first() const { return m_first; }
    int end() const { return m_end; }

    /// The rows of a block from `row`, the first of a tile, on.
    const Bfloat16* at(std::int64_t row, const Range& inner) const
    {
        return m_values + (inner.first - m_blocks.at(m_first).first) * m_rows
            + row * heightOf(inner);
    }

private:
    InnerBlocks m_blocks;
    int m_first;
    int m_end;
    std::int64_t m_rows;
    const Bfloat16* m_values;
};

/// Rounds some rows and blocks of inner values of a into leftScratch().
LeftTiles packedRows(const MatrixAt<const float>& a,
                     Stored stored,
                     const Range& rows,
                     const InnerBlocks& blocks,
                     int first,
                     int end);

/// The panels of a block of inner values, from a column on.
struct PanelsFrom
{
    Range inner; ///< one of InnerBlocks
    std::int64_t column = 0; ///< the first of a panel
};

/// The packed panels of one block of some right operands, and the panels that are multiplied after
/// them, at any address.
template <std::size_t Count>
struct Panels
{
    std::array<const Bfloat16*, Count> here;
    std::array<const Bfloat16*, Count> after;
};

/// Products of the rows of `a`, from the first of a tile on, by some right operands at once, in
/// blocks, on the calling thread. rightPanels(here, after), both PanelsFrom, answers Panels<Count>;
/// finish(rows, columns, sums) is called with each block of the results, BlockSums<Count>.
template <std::size_t Count, class RightPanels, class Finish>
void multiplyTiles(const LeftTiles& a,
                   const Range& rows,
                   std::int64_t columns,
                   const RightPanels& rightPanels,
                   const Finish& finish)
{
    constexpr std::int64_t kMaxColumns = BlockSize::kMaxColumns / Count;
    Range some;
    for (some.first = rows.first; some.first < rows.last; some.first = some.last) {
        some.last = std::min(rows.last, some.first + BlockSize::kMaxRows);
        const BlockSums<Count> sums(
            sumsScratch(), roundedUp(some.size(), BlockSize::kRowGrain) * BlockSize::kPanel);
        Range block;
        for (; block.first < columns; block.first = block.last) {
            block.last = std::min(columns, block.first + kMaxColumns);
            const std::int64_t panels =
                roundedUp(block.size(), BlockSize::kPanel) / BlockSize::kPanel;
            for (int k = a.first(); k < a.end(); ++k) {
                const Range inner = a.blocks().at(k);
                const std::int64_t panelSize = heightOf(inner) * BlockSize::kPanel;
                const LeftBlock left({some.size(), heightOf(inner)}, a.at(some.first, inner));
                const Into into = k == a.first() ? Into::overwrite : Into::accumulate;
                const bool last = k + 1 == a.end();
                const Panels<Count> right =
                    rightPanels(PanelsFrom{inner, block.first},
                                last ? PanelsFrom{a.blocks().at(a.first()), block.last % columns}
                                     : PanelsFrom{a.blocks().at(k + 1), block.first});
                for (std::int64_t p = 0; p < panels; ++p) {
                    for (std::size_t i = 0; i < Count; ++i) {
                        const Bfloat16* panel = right.here[i] + p * panelSize;
                        const Bfloat16* next = p + 1 < panels ? panel + panelSize : right.after[i];
                        left.multiply(panel, next, sums.panel(p, i), into);
                    }
                }
            }
            finish(some, block, sums);
        }
    }
}

/// multiply() with operands in the precision; float32 is multiply() itself. In bfloat16 both are
/// rounded in each call.
void multiplyIn(Precision precision,
                const ProductSize& size,
                const MatrixAt<const float>& a,
                const MatrixAt<const float>& b,
                Stored stored,
                const MatrixAt<float>& c,
                Into into = Into::overwrite);

/// The same with a transposed left operand, like multiplyTransposed().
void multiplyTransposedIn(Precision precision,
                          const ProductSize& size,
                          const MatrixAt<const float>& a,
                          const MatrixAt<const float>& b,
                          const MatrixAt<float>& c,
                          Into into = Into::overwrite);

} // namespace flopsmith::cpu
