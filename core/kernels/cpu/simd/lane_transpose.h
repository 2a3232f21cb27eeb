// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/simd/lanes.h"
#include "core/kernels/cpu/simd/pair_order.h"

#include <array>
#include <cstddef>
#include <utility>

// Rows of tokens into lanes and back: kLanes rows side by side. Only the sources of this folder
// include it, see lanes.h.
namespace flopsmith::cpu {

using LaneBlock = std::array<Lanes, kLanes>;

namespace detail {

// One step of a transposition: of rows a and b that are `Half` apart, the lanes whose number has
// the bit `Half` change sides.
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

// The same with a sum afterwards: half of the rows are left, of which each lane belongs to one.
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

inline void transpose(LaneBlock& rows)
{
    detail::transposeSteps<kLanes / 2>(rows);
}

/// tile[i, lane] = x[lane, i] for i < count; rows of x begin `stride` floats apart.
inline void transposeIn(const float* x, std::size_t stride, std::size_t count, float* tile)
{
    std::size_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        LaneBlock block;
        for (std::size_t row = 0; row < kLanes; ++row) {
            block[row] = load(x + row * stride + i);
        }
        transpose(block);
        for (std::size_t row = 0; row < kLanes; ++row) {
            store(tile + (i + row) * kLanes, block[row]);
        }
    }
    for (; i < count; ++i) {
        for (std::size_t row = 0; row < kLanes; ++row) {
            tile[i * kLanes + row] = x[row * stride + i];
        }
    }
}

/// y[lane, i] = tile[i, lane] for i < count, which is even; rows 2i and 2i + 1 are a pair.
inline void transposeOut(const float* tile,
                         std::size_t count,
                         float* y,
                         std::size_t stride,
                         PairOrder order)
{
    const auto turn = static_cast<std::size_t>(order);
    std::size_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        LaneBlock block;
        for (std::size_t row = 0; row < kLanes; ++row) {
            block[row] = load(tile + (i + (row ^ turn)) * kLanes);
        }
        transpose(block);
        for (std::size_t row = 0; row < kLanes; ++row) {
            store(y + row * stride + i, block[row]);
        }
    }
    for (; i < count; ++i) {
        for (std::size_t row = 0; row < kLanes; ++row) {
            y[row * stride + i] = tile[(i ^ turn) * kLanes + row];
        }
    }
}

} // namespace flopsmith::cpu
