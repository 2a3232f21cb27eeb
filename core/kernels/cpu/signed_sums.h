// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/count.h"
#include "core/ffn/random_projection.h"
#include "core/kernels/cpu/parallel.h"
#include "core/kernels/cpu/product.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace flopsmith::cpu {

/// Products with a SignMatrix or its transpose without multiplications. Tokens stand in tiles
/// [channels, width], so that a non-zero is the addition of one or two registers. The matrix is
/// cut into panels of rows, whose sums stay in the second-level cache, and blocks of columns,
/// whose inputs stay in the first; in each block the rows are visited in the order of their
/// lengths, because a branch that repeats itself is predicted.
class SignedSums
{
public:
    SignedSums(const SignMatrix& matrix, Stored stored, Threads threads);

    int panels() const { return static_cast<int>((m_rows + m_panelRows - 1) / m_panelRows); }
    Range rowsOf(int panel) const;

    /// sums[i] = Σ_j ±from[j] for the rows i of the panel; from [columns, width] and
    /// sums [rows, width] with one of tileWidths().
    void run(const float* from, float* sums, int width, int panel) const;

    std::size_t bytes() const;

    /// At most this is allocated for a matrix with so many non-zeros, the matrix itself and what
    /// arranging it takes included.
    static Count mostBytes(const Count& rows,
                           const Count& columns,
                           const Count& nonZeros,
                           Threads threads);

private:
    /// The non-zeros of one row in one block: `plus` indices, then `minus`.
    struct Segment
    {
        std::int32_t row;
        std::uint16_t plus;
        std::uint16_t minus;
    };

    /// Where a block's segments and indices begin.
    struct Start
    {
        std::size_t segment;
        std::size_t index;
    };

    void arrange(const SignMatrix& matrix, Stored stored);
    void sortSegments(std::vector<Segment>& all);

    template <class Index>
    void fill(const SignMatrix& matrix, Stored stored, std::vector<Index>& indices);

    template <class Index>
    void runWith(const std::vector<Index>& indices,
                 const float* from,
                 float* sums,
                 int width,
                 int panel) const;

    std::int64_t m_rows;
    std::int64_t m_columns;
    std::int64_t m_panelRows;
    std::int64_t m_blockColumns;
    std::int64_t m_blocks;
    std::vector<Segment> m_segments; ///< by panel, block, length
    std::vector<Start> m_starts; ///< [panels·blocks + 1]
    std::vector<std::uint8_t> m_narrow; ///< columns within their block, if a byte holds them
    std::vector<std::uint16_t> m_wide; ///< else
};

} // namespace flopsmith::cpu
