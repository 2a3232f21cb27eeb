// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/simd/lanes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

// Rows and columns exchanged in registers, as many rows at a time as a register has lanes.
namespace flopsmith::cpu {

namespace detail {

// Exchanges the upper right with the lower left block of `step` lanes in every 2·step by 2·step.
template <int step, int... i>
inline void exchangeBlocks(Lanes& upper, Lanes& lower, std::integer_sequence<int, i...> /*lanes*/)
{
    const Lanes a = upper;
    const Lanes b = lower;
    upper = __builtin_shufflevector(a, b, ((i & step) == 0 ? i : kLanes + i - step)...);
    lower = __builtin_shufflevector(a, b, ((i & step) == 0 ? i + step : kLanes + i)...);
}

template <int step>
inline void exchangeSteps(std::array<Lanes, kLanes>& rows)
{
    if constexpr (step < kLanes) {
        for (int i = 0; i < kLanes; ++i) {
            if ((i & step) == 0) {
                exchangeBlocks<step>(
                    rows[i], rows[i + step], std::make_integer_sequence<int, kLanes>{});
            }
        }
        exchangeSteps<2 * step>(rows);
    }
}

template <int step, int... i>
inline Lanes foldedSum(Lanes x, std::integer_sequence<int, i...> lanes)
{
    if constexpr (step < kLanes) {
        return foldedSum<2 * step>(x + __builtin_shufflevector(x, x, (i ^ step)...), lanes);
    } else {
        return x;
    }
}

} // namespace detail

/// y[o, j] = x[j, o] for `rows` rows and `columns` columns of x.
inline void exchange(const float* x,
                     std::int64_t xStride,
                     std::int64_t rows,
                     std::int64_t columns,
                     float* y,
                     std::int64_t yStride)
{
    const std::int64_t wholeRows = rows / kLanes * kLanes;
    const std::int64_t wholeColumns = columns / kLanes * kLanes;
    for (std::int64_t j = 0; j < wholeRows; j += kLanes) {
        for (std::int64_t o = 0; o < wholeColumns; o += kLanes) {
            // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled below
            std::array<Lanes, kLanes> tile;
            for (int i = 0; i < kLanes; ++i) {
                tile[i] = load(x + (j + i) * xStride + o);
            }
            detail::exchangeSteps<1>(tile);
            for (int i = 0; i < kLanes; ++i) {
                store(y + (o + i) * yStride + j, tile[i]);
            }
        }
    }
    for (std::int64_t j = 0; j < rows; ++j) {
        for (std::int64_t o = j < wholeRows ? wholeColumns : 0; o < columns; ++o) {
            y[o * yStride + j] = x[j * xStride + o];
        }
    }
}

/// The sum of all lanes by halves: no lane waits for another, many sums overlap.
inline float foldedSum(Lanes x)
{
    return detail::foldedSum<1>(x, std::make_integer_sequence<int, kLanes>{})[0];
}

} // namespace flopsmith::cpu
