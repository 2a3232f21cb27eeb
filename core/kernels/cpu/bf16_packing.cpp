// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/bf16_packing.h"

#include "core/kernels/cpu/bf16_block.h"
#include "core/kernels/cpu/lane_transpose.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace flopsmith::cpu {
namespace {

void storePair(Bfloat16* to, float first, float second)
{
    const std::uint32_t pair = roundedPair(first, second);
    std::memcpy(to, &pair, sizeof pair);
}

void packRow(const float* from, std::int64_t count, std::int64_t filled, Bfloat16* to)
{
    for (std::int64_t k = 0; k < count; ++k) {
        to[k] = roundedToBfloat16(from[k]);
    }
    std::fill(to + count, to + filled, Bfloat16{0});
}

// to[i] = (first[i], second[i])
void packPairs(const float* first, const float* second, std::int64_t count, Bfloat16* to)
{
    for (std::int64_t i = 0; i < count; ++i) {
        storePair(to + 2 * i, first[i], second[i]);
    }
}

// The same with nothing beside the last row of an odd number.
void packSingles(const float* first, std::int64_t count, Bfloat16* to)
{
    for (std::int64_t i = 0; i < count; ++i) {
        storePair(to + 2 * i, first[i], 0.0F);
    }
}

// As many rows of pairs as a register has lanes, and the same exchanged with their columns.
constexpr std::int64_t kMostPairs = std::max(BlockSize::kMostRows, BlockSize::kMostInner / 2);
using PairRows = std::array<float, kLanes * kMostPairs>; // a pair in the room of a float

Bfloat16* pairRow(PairRows& rows, std::int64_t row)
{
    return reinterpret_cast<Bfloat16*>(rows.data() + row * kMostPairs);
}

// to[i, lane] = rows[lane, i] for the first `lanes` of them; rows of `to` begin `stride` apart.
void storeExchanged(const PairRows& rows,
                    std::int64_t count,
                    std::int64_t lanes,
                    std::int64_t stride,
                    Bfloat16* to)
{
    std::int64_t i = 0;
    for (; i + kLanes <= count && lanes == kLanes; i += kLanes) {
        LaneBlock block;
        for (std::int64_t lane = 0; lane < kLanes; ++lane) {
            block[lane] = load(rows.data() + lane * kMostPairs + i);
        }
        transpose(block);
        for (std::int64_t row = 0; row < kLanes; ++row) {
            std::memcpy(to + (i + row) * stride, &block[row], sizeof(Lanes));
        }
    }
    for (; i < count; ++i) {
        for (std::int64_t lane = 0; lane < lanes; ++lane) {
            const float* pair = rows.data() + lane * kMostPairs + i;
            std::memcpy(to + i * stride + 2 * lane, pair, sizeof(float));
        }
    }
}

// Pairs of rows of `from` [inner, columns] become rows of `to`: to[j, k] is from[k, j], with
// `stride` elements between the rows of `to`.
void packExchanged(const MatrixAt<const float>& from,
                   std::int64_t inner,
                   std::int64_t columns,
                   std::int64_t stride,
                   Bfloat16* to)
{
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
        storeExchanged(pairs, columns, lanes, stride, to + k);
    }
}

// A panel of b stored with rows and columns exchanged: b[k, j] is from[j, k].
void packExchangedPanel(const MatrixAt<const float>& from,
                        std::int64_t inner,
                        std::int64_t columns,
                        Bfloat16* to)
{
    alignas(64) PairRows pairs;
    for (std::int64_t j = 0; j < columns; j += kLanes) {
        const std::int64_t lanes = std::min<std::int64_t>(kLanes, columns - j);
        for (std::int64_t lane = 0; lane < lanes; ++lane) {
            const float* row = from.first + (j + lane) * from.stride;
            packRow(row, inner, inner + inner % 2, pairRow(pairs, lane));
        }
        storeExchanged(pairs, (inner + 1) / 2, lanes, 2 * BlockSize::kPanel, to + 2 * j);
    }
}

void packPanel(const MatrixAt<const float>& from,
               std::int64_t inner,
               std::int64_t columns,
               Bfloat16* to)
{
    for (std::int64_t k = 0; k < inner; k += 2) {
        const float* row = from.first + k * from.stride;
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
    const std::int64_t width = roundedUp(inner.size(), BlockSize::kInnerGrain);
    if (stored == Stored::straight) {
        for (std::int64_t r = 0; r < rows.size(); ++r) {
            const float* from = a.first + (rows.first + r) * a.stride + inner.first;
            packRow(from, inner.size(), width, to + r * width);
        }
        return;
    }
    if (width > inner.size()) {
        std::fill_n(to, rows.size() * width, Bfloat16{0});
    }
    const MatrixAt<const float> from{a.first + inner.first * a.stride + rows.first, a.stride};
    packExchanged(from, inner.size(), rows.size(), width, to);
}

void packPanels(const MatrixAt<const float>& b,
                Stored stored,
                Range inner,
                Range columns,
                Bfloat16* to)
{
    const std::int64_t height = roundedUp(inner.size(), BlockSize::kInnerGrain);
    for (std::int64_t first = columns.first; first < columns.last; first += BlockSize::kPanel) {
        const std::int64_t count = std::min(BlockSize::kPanel, columns.last - first);
        if (count < BlockSize::kPanel || height > inner.size()) {
            std::fill_n(to, height * BlockSize::kPanel, Bfloat16{0});
        }
        if (stored == Stored::straight) {
            packPanel(
                {b.first + inner.first * b.stride + first, b.stride}, inner.size(), count, to);
        } else {
            packExchangedPanel(
                {b.first + first * b.stride + inner.first, b.stride}, inner.size(), count, to);
        }
        to += height * BlockSize::kPanel;
    }
}

} // namespace flopsmith::cpu
