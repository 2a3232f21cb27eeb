// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/ffn/random_projection/sign_rows.h"
#include "core/kernels/cpu/simd/memory_ledger.h"

#include <cstddef>
#include <cstdint>

namespace flopsmith::cpu {

/// Products with a SignMatrix or its transpose without multiplications. Tokens are in tiles
/// [channels, width], so that a non-zero is the addition of one or two registers. The rows are cut
/// into panels and the columns into blocks, whose inputs stay in the first-level cache where there
/// are many non-zeros. The non-zeros of one row in one block, or those of one sign, are a segment;
/// a block's segments are sorted by length, so that the branches of their loops are predicted.
class SignedSums
{
public:
    /// `width`: of the widest tile.
    SignedSums(const SignMatrix& matrix, Stored stored, int width, Threads threads);

    int panels() const { return m_shape.panels(); }
    Range rowsOf(int panel) const { return m_shape.panel(panel); }

    /// sums[i] = Σ_j ±from[j] for the rows i of the panel; from [columns, width] and
    /// sums [rows, width] with one of tileWidths().
    void run(const float* from, float* sums, int width, int panel) const;

private:
    using Offset = std::uint16_t;

    struct Segment
    {
        std::uint16_t row; ///< within its panel
        std::uint16_t plus; ///< offsets of values that are added,
        std::uint16_t minus; ///< followed by the entries of subtracted values
    };

    /// Where the segments and offsets of a pass begin.
    struct Start
    {
        std::size_t segment;
        std::size_t offset;
    };

    void arrange(const SignMatrix& matrix, Stored stored);
    void sortSegments(LedgerVector<Segment>& all);
    void fill(const SignMatrix& matrix, Stored stored);
    std::int64_t passes() const { return m_blocks * m_parts; }
    std::int64_t passOf(std::int64_t column, bool minus) const;

    template <class Tile>
    void runWith(const float* from, float* sums, int panel) const;

    SignRows m_shape;
    std::int64_t m_blockColumns;
    std::int64_t m_blocks;
    int m_parts; ///< of a block: 2 if either sign has segments of its own
    LedgerVector<Segment> m_segments; ///< by panel, block, part, length
    LedgerVector<Start> m_starts; ///< [panels·blocks·parts + 1]
    LedgerVector<Offset> m_offsets; ///< of the columns within their block
};

} // namespace flopsmith::cpu
