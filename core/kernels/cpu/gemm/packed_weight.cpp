// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/gemm/packed_weight.h"

#include "core/base/check.h"
#include "core/kernels/cpu/gemm/blocked_product.h"
#include "core/kernels/cpu/gemm/product_tile.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

// Columns per call of done().
constexpr std::int64_t kColumnsPerCall = 256;

} // namespace

PackedWeight::PackedWeight(std::int64_t in, std::int64_t out, const float* weight, Threads threads)
    : PackedWeight(in, out)
{
    pack(weight, Stored::notTransposed, threads);
}

PackedWeight::PackedWeight(std::int64_t in, std::int64_t out)
    : m_in(in)
    , m_out(out)
    , m_values(bufferSize(in, panelsIn(out) * kPanel))
{}

void PackedWeight::pack(const float* weight, Stored stored, Threads threads)
{
    shareOut(threads, panelsIn(m_out), [&](std::int64_t panel, int) {
        const std::int64_t first = panel * kPanel;
        const auto columns = std::min(kPanel, m_out - first);
        for (std::int64_t k = 0; k < m_in; k += kInnerAtOnce) {
            const MatrixAt<const float> part = stored == Stored::notTransposed
                ? MatrixAt<const float>{weight + k * m_out + first, m_out}
                : MatrixAt<const float>{weight + first * m_in + k, m_in};
            packPanels(part,
                       stored,
                       std::min(kInnerAtOnce, m_in - k),
                       columns,
                       m_values.data() + placeOf(k, panel));
        }
    });
}

bool PackedWeight::covers(Range columns) const
{
    return columns.first % kPanel == 0 && (columns.last % kPanel == 0 || columns.last == m_out);
}

std::int64_t PackedWeight::placeOf(std::int64_t row, std::int64_t panel) const
{
    const std::int64_t rows = std::min(kInnerAtOnce, m_in - row);
    return (row * panelsIn(m_out) + panel * rows) * kPanel;
}

void PackedWeight::multiply(const float* x,
                            float* y,
                            Range rows,
                            Range columns,
                            DoneAt done,
                            const void* context) const
{
    FLOPSMITH_CHECK(covers(columns));
    const std::int64_t maxRows = rowsAtOnce(m_in);
    const auto blocks = static_cast<int>((rows.size() + maxRows - 1) / maxRows);
    for (int i = 0; i < blocks; ++i) {
        const Range part = partOf(rows.size(), blocks, i);
        const Range mine{rows.first + part.first, rows.first + part.last};
        for (std::int64_t k = 0; k < m_in; k += kInnerAtOnce) {
            const RowBlock block(mine.size(), std::min(kInnerAtOnce, m_in - k));
            block.pack({x + mine.first * m_in + k, m_in}, Stored::notTransposed);
            const std::int64_t wide = block.panelsAtOnce() * kPanel;
            std::int64_t finished = columns.first;
            for (std::int64_t j = columns.first; j < columns.last;) {
                const std::int64_t width =
                    j + wide <= columns.last ? wide : std::min(kPanel, columns.last - j);
                block.add(m_values.data() + placeOf(k, j / kPanel),
                          width,
                          {y + mine.first * m_out + j, m_out},
                          k > 0 ? Sum::accumulate : Sum::overwrite);
                j += width;
                if (k + kInnerAtOnce >= m_in
                    && (j - finished >= kColumnsPerCall || j == columns.last)) {
                    done(context, mine, {finished, j});
                    finished = j;
                }
            }
        }
    }
}

} // namespace flopsmith::cpu
