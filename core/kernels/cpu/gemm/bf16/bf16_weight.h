// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/bf16/bf16_few_rows.h"
#include "core/kernels/cpu/gemm/bf16/bf16_product.h"
#include "core/kernels/cpu/simd/buffer.h"

#include <cstdint>

namespace flopsmith::cpu {

/// A weight matrix rounded to bfloat16 once, into the panels of LeftBlock::multiply(): half the
/// bytes that a product with few rows reads.
///
/// Blocks of rows of W one after the other, each with all its panels.
class RoundedWeight
{
public:
    /// `weight` [in, out], or [out, in] if stored transposed, which is not needed afterwards.
    RoundedWeight(std::int64_t in,
                  std::int64_t out,
                  const float* weight,
                  Stored stored,
                  Threads threads);

    /// Whether a product of some columns is one of whole panels.
    bool covers(Range columns) const
    {
        return columns.first % BlockSize::kPanel == 0
            && (columns.last % BlockSize::kPanel == 0 || columns.last == m_out);
    }

    /// The rightPanels of multiplyTiles() for these weights, which are borrowed, from the column
    /// `first`, the first of a panel, on.
    template <class... Weights>
    static auto panelsOf(std::int64_t first, const Weights&... weights)
    {
        return [first, &weights...](const PanelsFrom& here, const PanelsFrom& after) {
            return Panels<sizeof...(Weights)>{{weights.panelsAt(here, first)...},
                                              {weights.panelsAt(after, first)...}};
        };
    }

    /// y[rows, columns] = x·W on the calling thread; x [·, in], y [·, out]. As soon as some rows
    /// and columns of y are finished, done(rows, columns) is called.
    template <class Done>
    void multiply(const float* x, float* y, Range rows, Range columns, const Done& done) const
    {
        if (rows.size() <= kFewRoundedRows) {
            for (Range some{columns.first, 0}; some.first < columns.last; some.first = some.last) {
                some.last = std::min(columns.last, some.first + BlockSize::kMaxColumns);
                multiplyFew(x, y, rows, some);
                done(rows, some);
            }
            return;
        }
        const InnerBlocks blocks(m_in);
        Range some;
        for (some.first = rows.first; some.first < rows.last; some.first = some.last) {
            some.last = std::min(rows.last, some.first + BlockSize::kMaxRows);
            for (int k = 0; k < blocks.count(); k += InnerBlocks::kMaxAtOnce) {
                const int end = std::min(blocks.count(), k + InnerBlocks::kMaxAtOnce);
                multiplyTiles<1>(
                    packedRows({x, m_in}, Stored::notTransposed, some, blocks, k, end),
                    {0, some.size()},
                    columns.size(),
                    panelsOf(columns.first, *this),
                    [&](const Range& /*rows*/, const Range& here, const BlockSums<1>& sums) {
                        const Range to{columns.first + here.first, columns.first + here.last};
                        storeBlock(sums,
                                   some.size(),
                                   to.size(),
                                   {y + some.first * m_out + to.first, m_out},
                                   k == 0 ? Sum::overwrite : Sum::accumulate);
                        if (end == blocks.count()) {
                            done(some, to);
                        }
                    });
            }
        }
    }

private:
    // The panels of columns that are counted from `first`.
    const Bfloat16* panelsAt(const PanelsFrom& from, std::int64_t first) const
    {
        return reinterpret_cast<const Bfloat16*>(m_values.data())
            + placeOf(from.inner, first + from.column);
    }

    void multiplyFew(const float* x, float* y, Range rows, Range columns) const;

    static std::int64_t panelsFor(std::int64_t out)
    {
        return (out + BlockSize::kPanel - 1) / BlockSize::kPanel;
    }

    std::int64_t placeOf(const Range& inner, std::int64_t column) const
    {
        return inner.first * panelsFor(m_out) * BlockSize::kPanel + column * heightOf(inner);
    }

    std::int64_t m_in;
    std::int64_t m_out;
    Buffer m_values; ///< each float holds two bfloat16
};

} // namespace flopsmith::cpu
