// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/product_tile.h"
#include "core/kernels/cpu/mixer/attention/attention_steps.h"

#include <array>
#include <cstdint>
#include <utility>

// The weighted sums of a tile's values (P·V). Only the sources of this folder include it, see lanes.h.
namespace flopsmith::cpu {

/// c[Rows, kPanel] ← rescale·c + weights·values with the first `keys` columns of weights
/// [Rows, kKeysAtOnce], which are not packed.
template <int Rows>
void accumulateWeighted(const float* weights,
                        const float* values,
                        std::int64_t keys,
                        const float* rescale,
                        const MatrixAt<float>& c)
{
    std::array<std::array<Lanes, kPanelLanes>, Rows> sums{};
    for (std::int64_t k = 0; k < keys; ++k) {
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled below
        std::array<Lanes, kPanelLanes> row;
        unrolled<kPanelLanes>([&](auto q) __attribute__((always_inline)) {
            row[q] = load(values + q * kLanes);
        });
        unrolled<Rows>([&](auto r) __attribute__((always_inline)) {
            const Lanes weight = all(weights[r * kKeysAtOnce + k]);
            unrolled<kPanelLanes>([&](auto q) __attribute__((always_inline)) {
                sums[r][q] += weight * row[q];
            });
        });
        values += kPanel;
    }
    unrolled<Rows>([&](auto r) __attribute__((always_inline)) {
        unrolled<kPanelLanes>([&](auto q) __attribute__((always_inline)) {
            float* to = c.first + r * c.stride + q * kLanes;
            store(to, load(to) * rescale[r] + sums[r][q]);
        });
    });
}

using AccumulateWeighted =
    void (*)(const float*, const float*, std::int64_t, const float*, const MatrixAt<float>&);

template <int... Row>
constexpr std::array<AccumulateWeighted, sizeof...(Row)> accumulateWeightedOf(
    std::integer_sequence<int, Row...> /*rows*/)
{
    return {accumulateWeighted<Row + 1>...};
}

/// The one for so many rows, at most kMaxTileRows.
inline AccumulateWeighted accumulateWeightedOf(std::int64_t rows)
{
    static constexpr auto kAll =
        accumulateWeightedOf(std::make_integer_sequence<int, kMaxTileRows>{});
    return kAll[static_cast<std::size_t>(rows - 1)];
}

} // namespace flopsmith::cpu
