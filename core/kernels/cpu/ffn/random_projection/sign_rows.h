// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/random_projection.h"
#include "core/kernels/cpu/gemm/product.h"
#include "core/kernels/cpu/threads/parallel.h"

#include <algorithm>
#include <cstdint>

namespace flopsmith::cpu {

/// A SignMatrix or its transpose, and how its rows are cut into panels: contiguous ones, at least
/// one per thread while there are rows, whose sums stay in the second-level cache.
class SignRows
{
public:
    SignRows(const SignMatrix& matrix, Stored stored, Threads threads)
        : m_rows(stored == Stored::notTransposed ? matrix.rows : matrix.columns)
        , m_columns(stored == Stored::notTransposed ? matrix.columns : matrix.rows)
        , m_panelRows(std::clamp((m_rows + threads.count - 1) / threads.count,
                                 std::int64_t{1},
                                 kMaxPanelRows))
    {}

    std::int64_t rows() const { return m_rows; }
    std::int64_t columns() const { return m_columns; }
    int panels() const { return static_cast<int>((m_rows + m_panelRows - 1) / m_panelRows); }

    Range panel(int index) const
    {
        const std::int64_t first = index * m_panelRows;
        return {first, std::min(m_rows, first + m_panelRows)};
    }

private:
    static constexpr std::int64_t kMaxPanelRows = 2048; // 256 KiB in a large tile

    std::int64_t m_rows;
    std::int64_t m_columns;
    std::int64_t m_panelRows;
};

/// visit(row, column, is minus) for every non-zero of the matrix or of its transpose, columns
/// ascending in each row.
template <class Visit>
void forEachNonZero(const SignMatrix& matrix, Stored stored, const Visit& visit)
{
    for (int i = 0; i < matrix.rows; ++i) {
        for (const std::int32_t entry : matrix.row(i)) {
            const int j = SignMatrix::column(entry);
            if (stored == Stored::notTransposed) {
                visit(i, j, SignMatrix::isMinus(entry));
            } else {
                visit(j, i, SignMatrix::isMinus(entry));
            }
        }
    }
}

} // namespace flopsmith::cpu
