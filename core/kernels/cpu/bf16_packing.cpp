// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/bf16_packing.h"

#include "core/kernels/cpu/bf16_block.h"

#include <algorithm>
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

// Some values side by side, so that what is read in rows and written in columns, or the other way
// round, stays within a few cache lines.
constexpr std::int64_t kTogether = 16;

// Pairs of rows of `from` [inner, columns] become rows of `to`: to[j, i] is from[i, j], with
// `stride` elements between the rows of `to`.
void packExchanged(const MatrixAt<const float>& from,
                   std::int64_t inner,
                   std::int64_t columns,
                   std::int64_t stride,
                   Bfloat16* to)
{
    for (std::int64_t first = 0; first < columns; first += kTogether) {
        const std::int64_t last = std::min(columns, first + kTogether);
        for (std::int64_t k = 0; k < inner; k += 2) {
            const float* even = from.first + k * from.stride;
            const bool alone = k + 1 == inner;
            for (std::int64_t j = first; j < last; ++j) {
                storePair(to + j * stride + k, even[j], alone ? 0.0F : even[from.stride + j]);
            }
        }
    }
}

// A panel of b stored with rows and columns exchanged: b[k, j] is from[j, k].
void packExchangedPanel(const MatrixAt<const float>& from,
                        std::int64_t inner,
                        std::int64_t columns,
                        Bfloat16* to)
{
    for (std::int64_t first = 0; first < columns; first += kTogether) {
        const std::int64_t last = std::min(columns, first + kTogether);
        for (std::int64_t k = 0; k < inner; k += 2) {
            const bool alone = k + 1 == inner;
            for (std::int64_t j = first; j < last; ++j) {
                const float* pair = from.first + j * from.stride + k;
                storePair(to + k * BlockSize::kPanel + 2 * j, pair[0], alone ? 0.0F : pair[1]);
            }
        }
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
