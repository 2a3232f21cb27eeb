// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/gemm/bf16/bf16_packing.h"

#include "core/base/check.h"
#include "core/kernels/cpu/gemm/bf16/bf16_block.h"
#include "core/kernels/cpu/simd/bf16_lanes.h"
#include "core/kernels/cpu/simd/lane_transpose.h"
#include "core/kernels/cpu/simd/prefetch.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace flopsmith::cpu {
namespace {

// Rounds a row to place(k), register by register. Prefetches the following row, which may be
// outside the matrix: hardware prefetchers do not predict the beginning of rows that are not
// contiguous.
template <class Place>
void packRow(const float* from, const float* following, std::int64_t count, const Place& place)
{
    const auto put = [&](std::size_t k, Lanes values, std::size_t n) {
        const Bfloat16Lanes rounded = roundedToBfloat16(values);
        std::memcpy(place(static_cast<std::int64_t>(k)), &rounded, n * sizeof(Bfloat16));
    };
    along(
        static_cast<std::size_t>(count),
        [&](std::size_t k) {
            __builtin_prefetch(following + k);
            put(k, load(from + k), kLanes);
        },
        [&](std::size_t k, std::size_t n) { put(k, loadSome(from + k, n), n); });
}

// to[i] = (first(i), second(i)), rounded
template <class First, class Second>
void packPairsOf(std::int64_t count, Bfloat16* to, const First& first, const Second& second)
{
    const auto put = [&](std::size_t i, std::size_t n) {
        const BitLanes pairs = roundedPairs(first(i, n), second(i, n));
        std::memcpy(to + 2 * i, &pairs, n * sizeof(std::uint32_t));
    };
    along(
        static_cast<std::size_t>(count), [&](std::size_t i) { put(i, kLanes); }, put);
}

// Loads from a row, masked only for a partial register.
auto lanesOf(const float* row)
{
    return [row](std::size_t i, std::size_t n) {
        return n == kLanes ? load(row + i) : loadSome(row + i, n);
    };
}

// to[i] = (first[i], second[i])
void packPairs(const float* first, const float* second, std::int64_t count, Bfloat16* to)
{
    packPairsOf(count, to, lanesOf(first), lanesOf(second));
}

// The same for the last row of an odd number, paired with zeros.
void packSingles(const float* first, std::int64_t count, Bfloat16* to)
{
    packPairsOf(
        count, to, lanesOf(first), [](std::size_t /*i*/, std::size_t /*n*/) { return Lanes{}; });
}

// As many rows of pairs as a register has lanes.
constexpr std::int64_t kMaxPairs = std::max(BlockSize::kMaxRows, BlockSize::kMaxInner / 2);
using PairRows = std::array<float, kLanes * kMaxPairs>; // a float holds a pair

Bfloat16* pairRow(PairRows& rows, std::int64_t row)
{
    return reinterpret_cast<Bfloat16*>(rows.data() + row * kMaxPairs);
}

// Transposes the first `lanes` rows: rows[·, i] is stored contiguously at place(i).
template <class Place>
void storeTransposed(const PairRows& rows,
                     std::int64_t count,
                     std::int64_t lanes,
                     const Place& place)
{
    std::int64_t i = 0;
    for (; i + kLanes <= count && lanes == kLanes; i += kLanes) {
        LaneBlock block;
        for (std::int64_t lane = 0; lane < kLanes; ++lane) {
            block[lane] = load(rows.data() + lane * kMaxPairs + i);
        }
        transpose(block);
        for (std::int64_t row = 0; row < kLanes; ++row) {
            std::memcpy(place(i + row), &block[row], sizeof(Lanes));
        }
    }
    for (; i < count; ++i) {
        for (std::int64_t lane = 0; lane < lanes; ++lane) {
            const float* pair = rows.data() + lane * kMaxPairs + i;
            std::memcpy(place(i) + 2 * lane, pair, sizeof(float));
        }
    }
}

// Packs a block from its transpose, `from` [inner, columns].
void packTransposed(const MatrixAt<const float>& from,
                    std::int64_t inner,
                    std::int64_t columns,
                    Bfloat16* to)
{
    const std::int64_t width = roundedUp(inner, BlockSize::kInnerGrain);
    alignas(64) PairRows pairs;
    for (std::int64_t k = 0; k < inner; k += 2 * kLanes) {
        const std::int64_t lanes = std::min<std::int64_t>(kLanes, (inner - k + 1) / 2);
        for (std::int64_t lane = 0; lane < lanes; ++lane) {
            const float* even = from.first + (k + 2 * lane) * from.stride;
            if (k + 2 * lane + 1 < inner) {
                packPairs(even, even + from.stride, columns, pairRow(pairs, lane));
            } else {
                packSingles(even, columns, pairRow(pairs, lane));
            }
        }
        storeTransposed(pairs, columns, lanes, [&](std::int64_t row) {
            return to + placeInTiles(row, k, width);
        });
    }
}

// Packs a panel of b stored transposed: b[k, j] is from[j, k].
void packTransposedPanel(const MatrixAt<const float>& from,
                         std::int64_t inner,
                         std::int64_t columns,
                         Bfloat16* to)
{
    alignas(64) PairRows pairs;
    for (std::int64_t j = 0; j < columns; j += kLanes) {
        const std::int64_t lanes = std::min<std::int64_t>(kLanes, columns - j);
        for (std::int64_t lane = 0; lane < lanes; ++lane) {
            const float* row = from.first + (j + lane) * from.stride;
            Bfloat16* pair = pairRow(pairs, lane);
            packRow(row, row + 2 * from.stride, inner, [&](std::int64_t k) { return pair + k; });
            pair[inner] = 0; // pairs with the last value of an odd number
        }
        storeTransposed(pairs, (inner + 1) / 2, lanes, [&](std::int64_t k) {
            return to + k * 2 * BlockSize::kPanel + 2 * j;
        });
    }
}

void packPanel(const MatrixAt<const float>& from,
               std::int64_t inner,
               std::int64_t columns,
               Bfloat16* to)
{
    constexpr std::int64_t kPrefetchRows = 16;
    for (std::int64_t k = 0; k < inner; k += 2) {
        const float* row = from.first + k * from.stride;
        prefetchToRead(row + kPrefetchRows * from.stride, columns);
        prefetchToRead(row + (kPrefetchRows + 1) * from.stride, columns);
        if (k + 1 < inner) {
            packPairs(row, row + from.stride, columns, to + k * BlockSize::kPanel);
        } else {
            packSingles(row, columns, to + k * BlockSize::kPanel);
        }
    }
}

} // namespace

void packRows(const MatrixAt<const float>& a, Stored stored, Range rows, Range inner, Bfloat16* to)
{
    FLOPSMITH_CHECK(rows.size() <= BlockSize::kMaxRows && inner.size() <= BlockSize::kMaxInner);
    const std::int64_t width = roundedUp(inner.size(), BlockSize::kInnerGrain);
    if (width > inner.size()) {
        for (std::int64_t r = 0; r < rows.size(); ++r) { // the last tile of each row
            std::fill_n(to + placeInTiles(r, width - BlockSize::kInnerGrain, width),
                        BlockSize::kInnerGrain,
                        Bfloat16{0});
        }
    }
    if (stored == Stored::transposed) {
        const MatrixAt<const float> from{a.first + inner.first * a.stride + rows.first, a.stride};
        packTransposed(from, inner.size(), rows.size(), to);
        return;
    }
    for (std::int64_t r = 0; r < rows.size(); ++r) {
        const float* from = a.first + (rows.first + r) * a.stride + inner.first;
        Bfloat16* row = to + placeInTiles(r, 0, width);
        packRow(from, from + a.stride, inner.size(), [row](std::int64_t k) {
            return row + placeInTiles(0, k, 0);
        });
    }
}

void packPanels(const MatrixAt<const float>& b,
                Stored stored,
                Range inner,
                Range columns,
                Bfloat16* to)
{
    const std::int64_t height = roundedUp(inner.size(), BlockSize::kInnerGrain);
    FLOPSMITH_CHECK(inner.size() <= BlockSize::kMaxInner);
    for (std::int64_t first = columns.first; first < columns.last; first += BlockSize::kPanel) {
        const std::int64_t count = std::min(BlockSize::kPanel, columns.last - first);
        if (count < BlockSize::kPanel || height > inner.size()) {
            std::fill_n(to, height * BlockSize::kPanel, Bfloat16{0});
        }
        if (stored == Stored::notTransposed) {
            packPanel(
                {b.first + inner.first * b.stride + first, b.stride}, inner.size(), count, to);
        } else {
            packTransposedPanel(
                {b.first + first * b.stride + inner.first, b.stride}, inner.size(), count, to);
        }
        to += height * BlockSize::kPanel;
    }
}

} // namespace flopsmith::cpu
