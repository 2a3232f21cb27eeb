// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/simd/lanes.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

// Blocks of as many rows as a register has lanes, transposed in registers. Only the sources of this
// folder include it, see lanes.h.
namespace flopsmith::cpu {

using LaneBlock = std::array<Lanes, kLanes>;

namespace detail {

// One step of a transposition: in rows a and b that are `Half` apart, exchanges the lanes whose
// index has the bit `Half`.
template <int Half, int... Lane>
inline void exchange(Lanes& a, Lanes& b, std::integer_sequence<int, Lane...> /*lanes*/)
{
    const Lanes upper =
        __builtin_shufflevector(a, b, ((Lane & Half) != 0 ? kLanes + Lane - Half : Lane)...);
    const Lanes lower =
        __builtin_shufflevector(a, b, ((Lane & Half) != 0 ? kLanes + Lane : Lane + Half)...);
    a = upper;
    b = lower;
}

template <int Half>
inline void transposeSteps(LaneBlock& rows)
{
    for (int i = 0; i < kLanes; ++i) {
        if ((i & Half) == 0) {
            exchange<Half>(rows[i], rows[i + Half], std::make_integer_sequence<int, kLanes>{});
        }
    }
    if constexpr (Half > 1) {
        transposeSteps<Half / 2>(rows);
    }
}

// The same followed by a sum: half of the rows remain, and each lane belongs to one of them.
template <int Half>
inline void foldSteps(LaneBlock& rows)
{
    for (int i = 0; i < Half; ++i) {
        exchange<Half>(rows[i], rows[i + Half], std::make_integer_sequence<int, kLanes>{});
        rows[i] += rows[i + Half];
    }
    if constexpr (Half > 1) {
        foldSteps<Half / 2>(rows);
    }
}

} // namespace detail

/// In lane i the sum over the lanes of row i, which are destroyed.
inline Lanes sumsOf(LaneBlock& rows)
{
    detail::foldSteps<kLanes / 2>(rows);
    return rows[0];
}

/// Rows become columns.
inline void transpose(LaneBlock& rows)
{
    detail::transposeSteps<kLanes / 2>(rows);
}

/// y[o, j] = x[j, o] for `rows` rows and `columns` columns of x.
inline void transpose(const float* x,
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
            LaneBlock block; // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
            for (std::size_t i = 0; i < kLanes; ++i) {
                block[i] = load(x + (j + static_cast<std::int64_t>(i)) * xStride + o);
            }
            transpose(block);
            for (std::size_t i = 0; i < kLanes; ++i) {
                store(y + (o + static_cast<std::int64_t>(i)) * yStride + j, block[i]);
            }
        }
    }
    for (std::int64_t j = 0; j < rows; ++j) {
        for (std::int64_t o = j < wholeRows ? wholeColumns : 0; o < columns; ++o) {
            y[o * yStride + j] = x[j * xStride + o];
        }
    }
}

} // namespace flopsmith::cpu
