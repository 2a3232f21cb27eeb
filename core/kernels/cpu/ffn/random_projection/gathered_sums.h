// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/ffn/random_projection/sign_rows.h"
#include "core/kernels/cpu/simd/memory_ledger.h"

#include <cstddef>
#include <cstdint>

namespace flopsmith::cpu {

/// Products of one token with a SignMatrix or its transpose without multiplications: each lane of a
/// register sums a row, whose values are gathered. The rows of a panel are sorted by length, so
/// that those of one register, a group, are about equally long.
class GatheredSums
{
public:
    /// Whether the index of a column fits in 15 bits.
    static bool supports(std::int64_t columns) { return columns <= std::int64_t{1} << 15; }

    GatheredSums(const SignMatrix& matrix, Stored stored, Threads threads);

    int panels() const { return m_shape.panels(); }
    Range rowsOf(int panel) const { return m_shape.panel(panel); }

    /// sums[i] = Σ_j ±from[j] for the rows i of the panel; from [columns], sums [rows].
    void run(const float* from, float* sums, int panel) const;

private:
    using Entry = std::uint16_t; ///< a column, and the sign in the highest bit

    struct Row
    {
        std::uint16_t place; ///< within its panel
        std::uint16_t length;
    };

    void sortRows(const SignMatrix& matrix, Stored stored);
    void fill(const SignMatrix& matrix, Stored stored);
    const Entry* addGroup(const Range& rows, const Entry* from);

    SignRows m_shape;
    LedgerVector<Row> m_rows; ///< by panel, length from the longest down
    LedgerVector<std::size_t> m_starts; ///< [panels], where their entries begin
    LedgerVector<Entry> m_entries; ///< by group; one of each row that has any left, then the next
};

} // namespace flopsmith::cpu
