// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/gemm/bf16/bf16_rows.h"

#include <algorithm>

namespace flopsmith::cpu {

RoundedRows::RoundedRows(std::int64_t rows, std::int64_t inner)
    : m_rows(rows)
    , m_blocks(inner)
    , m_values(static_cast<std::size_t>(LeftTiles::elements(rows, inner) / 2))
{}

TileColumns RoundedRows::columnsAt(std::int64_t row, std::int64_t column)
{
    const Range inner = m_blocks.around(column);
    const std::int64_t height = heightOf(inner);
    return {const_cast<Bfloat16*>(tiles().at(row, inner))
                + placeInTiles(0, column - inner.first, height),
            height};
}

void RoundedRows::round(const float* x, const Range& rows)
{
    for (int k = 0; k < m_blocks.count(); ++k) {
        Range some;
        for (some.first = rows.first; some.first < rows.last; some.first = some.last) {
            some.last = std::min(rows.last, some.first + BlockSize::kMaxRows);
            packRows({x, m_blocks.inner()},
                     Stored::notTransposed,
                     some,
                     m_blocks.at(k),
                     columnsAt(some.first, m_blocks.at(k).first).first);
        }
    }
}

} // namespace flopsmith::cpu
