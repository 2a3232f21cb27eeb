// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/product_tile.h"
#include "core/kernels/cpu/mixer/attention/attention_steps.h"

#include <array>
#include <cstdint>
#include <utility>

// The weighted sums of a tile's values. Only the sources of this folder include it, see lanes.h.
namespace flopsmith::cpu {

/// c[Rows, kPanel] ← shrinks·c + weights·values with weights [Rows, kKeysAtOnce], of which `keys`
/// count, as they lie.
template <int Rows>
void addWeighted(const float* weights,
                 const float* values,
                 std::int64_t keys,
                 const float* shrinks,
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
            store(to, load(to) * shrinks[r] + sums[r][q]);
        });
    });
}

using AddWeighted =
    void (*)(const float*, const float*, std::int64_t, const float*, const MatrixAt<float>&);

template <int... Row>
constexpr std::array<AddWeighted, sizeof...(Row)> addWeightedOf(
    std::integer_sequence<int, Row...> /*rows*/)
{
    return {addWeighted<Row + 1>...};
}

/// The one for so many rows, at most kMaxTileRows.
inline AddWeighted addWeightedOf(std::int64_t rows)
{
    static constexpr auto kAll = addWeightedOf(std::make_integer_sequence<int, kMaxTileRows>{});
    return kAll[static_cast<std::size_t>(rows - 1)];
}

} // namespace flopsmith::cpu
