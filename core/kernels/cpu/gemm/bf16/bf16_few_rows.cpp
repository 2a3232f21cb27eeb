// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/gemm/bf16/bf16_few_rows.h"

#include "core/base/check.h"
#include "core/kernels/cpu/simd/lanes.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace flopsmith::cpu {
namespace {

constexpr int kPanelRegisters = static_cast<int>(BlockSize::kPanel) / kLanes;
constexpr std::int64_t kPairs = 2 * BlockSize::kPanel; // elements of two rows of a panel
constexpr std::int64_t kPrefetchPairs = 24; // distance: panels come from memory

template <int Panels>
using FewRowSums = std::array<float, kFewRoundedRows * Panels * BlockSize::kPanel>;

// A bfloat16 is the upper half of a float: a mask extracts the second one of a lane's pair, a shift
// the first. Their products with x are exact, sums are float32.
template <int Rows, int Panels>
void addPanels(const MatrixAt<const float>& x,
               const Bfloat16* b,
               std::int64_t pairs,
               std::int64_t panelSize,
               FewRowSums<Panels>& to)
{
    constexpr int kRegisters = Panels * kPanelRegisters;
    std::array<std::array<Lanes, kRegisters>, Rows> sums{};
    for (std::int64_t p = 0; p < pairs; ++p) {
        // Beyond the end of a panel follows the panel at the same place of the next group.
        const std::int64_t ahead =
            kPrefetchPairs * kPairs + (p + kPrefetchPairs < pairs ? 0 : (Panels - 1) * panelSize);
        for (int q = 0; q < kRegisters; ++q) {
            const Bfloat16* from =
                b + q / kPanelRegisters * panelSize + q % kPanelRegisters * 2 * kLanes;
            __builtin_prefetch(from + ahead);
            IntLanes both;
            std::memcpy(&both, from, sizeof both);
            const Lanes first = fromBits(both << 16);
            const Lanes second = fromBits(both & ~0xffff);
            for (int r = 0; r < Rows; ++r) {
                const float* factors = x.first + r * x.stride + 2 * p;
                sums[r][q] += all(factors[0]) * first;
                sums[r][q] += all(factors[1]) * second;
            }
        }
        b += kPairs;
    }
    for (int r = 0; r < Rows; ++r) {
        for (int q = 0; q < kRegisters; ++q) {
            store(to.data() + (r * kRegisters + q) * kLanes, sums[r][q]);
        }
    }
}

// Some panels' columns of c; the last panel may be partial.
template <int Rows, int Panels>
void multiplyPanels(const ProductSize& size,
                    const MatrixAt<const float>& a,
                    const Bfloat16* b,
                    std::int64_t panelSize,
                    const MatrixAt<float>& c,
                    Into into)
{
    alignas(64) FewRowSums<Panels> sums;
    addPanels<Rows, Panels>(a, b, (size.inner + 1) / 2, panelSize, sums);
    for (std::int64_t r = 0; r < Rows; ++r) {
        const float* from = sums.data() + r * Panels * BlockSize::kPanel;
        float* to = c.first + r * c.stride;
        for (std::int64_t j = 0; j < size.columns; ++j) {
            to[j] = into == Into::accumulate ? to[j] + from[j] : from[j];
        }
    }
}

template <int Rows>
void multiplyFewRows(const ProductSize& size,
                     const MatrixAt<const float>& a,
                     const Bfloat16* b,
                     std::int64_t panelSize,
                     const MatrixAt<float>& c,
                     Into into)
{
    constexpr int kSeveral = Rows == 1 ? 2 : Rows == 2 ? 4 : 2; // sums that stay in registers
    constexpr std::int64_t kColumns = kSeveral * BlockSize::kPanel;
    std::int64_t j = 0;
    const auto here = [&](std::int64_t columns) { return ProductSize{Rows, size.inner, columns}; };
    for (; j + kColumns - BlockSize::kPanel < size.columns; j += kColumns) {
        const std::int64_t columns = std::min(kColumns, size.columns - j);
        multiplyPanels<Rows, kSeveral>(here(columns),
                                       a,
                                       b + j / BlockSize::kPanel * panelSize,
                                       panelSize,
                                       {c.first + j, c.stride},
                                       into);
    }
    for (; j < size.columns; j += BlockSize::kPanel) {
        multiplyPanels<Rows, 1>(here(std::min(BlockSize::kPanel, size.columns - j)),
                                a,
                                b + j / BlockSize::kPanel * panelSize,
                                panelSize,
                                {c.first + j, c.stride},
                                into);
    }
}

} // namespace

void multiplyFewRounded(const ProductSize& size,
                        const MatrixAt<const float>& a,
                        const Bfloat16* b,
                        std::int64_t panelSize,
                        const MatrixAt<float>& c,
                        Into into)
{
    FLOPSMITH_CHECK(size.rows >= 1 && size.rows <= kFewRoundedRows);
    switch (size.rows) {
    case 1: multiplyFewRows<1>(size, a, b, panelSize, c, into); break;
    case 2: multiplyFewRows<2>(size, a, b, panelSize, c, into); break;
    case 3: multiplyFewRows<3>(size, a, b, panelSize, c, into); break;
    default: multiplyFewRows<4>(size, a, b, panelSize, c, into); break;
    }
}

} // namespace flopsmith::cpu
