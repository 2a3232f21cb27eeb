// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/gemm/bf16/bf16_weight.h"

#include <algorithm>
#include <array>

namespace flopsmith::cpu {

RoundedWeight::RoundedWeight(std::int64_t in,
                             std::int64_t out,
                             const float* weight,
                             Stored stored,
                             Threads threads)
    : m_in(in)
    , m_out(out)
    , m_values(
          bufferSize(roundedUp(in, BlockSize::kInnerGrain) / 2, panelsFor(out) * BlockSize::kPanel))
{
    const MatrixAt<const float> from{weight, stored == Stored::notTransposed ? out : in};
    auto* values = reinterpret_cast<Bfloat16*>(m_values.data());
    const InnerBlocks blocks(in);
    shareOut(threads, panelsFor(out), [&](std::int64_t panel, int) {
        const std::int64_t first = panel * BlockSize::kPanel;
        const Range columns{first, std::min(out, first + BlockSize::kPanel)};
        for (int k = 0; k < blocks.count(); ++k) {
            const Range inner = blocks.at(k);
            packPanels(from, stored, inner, columns, values + placeOf(inner, first));
        }
    });
}

void RoundedWeight::multiplyFew(const float* x, float* y, Range rows, Range columns) const
{
    const InnerBlocks blocks(m_in);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled below
    std::array<float, kFewRoundedRows * BlockSize::kMaxInner> rounded;
    for (int k = 0; k < blocks.count(); ++k) {
        const Range inner = blocks.at(k);
        const std::int64_t height = heightOf(inner);
        for (std::int64_t r = 0; r < rows.size(); ++r) {
            const float* from = x + (rows.first + r) * m_in + inner.first;
            float* to = rounded.data() + r * height;
            std::transform(
                from, from + inner.size(), to, [](float value) { return nearestBfloat16(value); });
            std::fill(to + inner.size(), to + height, 0.0F);
        }
        multiplyFewRounded({rows.size(), inner.size(), columns.size()},
                           {rounded.data(), height},
                           panelsAt({inner, columns.first}, 0),
                           height * BlockSize::kPanel,
                           {y + rows.first * m_out + columns.first, m_out},
                           k == 0 ? Into::overwrite : Into::accumulate);
    }
}

} // namespace flopsmith::cpu
