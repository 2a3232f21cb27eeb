// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/random_projection/token_tile.h"

#include "core/kernels/cpu/ffn/random_projection/tile_width.h"
#include "core/kernels/cpu/simd/lane_transpose.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

// Blocks of kLanes tokens by kLanes channels; the tails of both one value at a time.
template <class Block, class Single>
void forEachBlock(std::int64_t tokens,
                  const Range& channels,
                  const Block& block,
                  const Single& single)
{
    for (std::int64_t i = channels.first; i < channels.last; i += kLanes) {
        const std::int64_t end = std::min<std::int64_t>(i + kLanes, channels.last);
        const std::int64_t whole = end - i == kLanes ? tokens / kLanes * kLanes : 0;
        for (std::int64_t t = 0; t < whole; t += kLanes) {
            block(t, i);
        }
        for (std::int64_t t = whole; t < tokens; ++t) {
            for (std::int64_t c = i; c < end; ++c) {
                single(t, c);
            }
        }
    }
}

// to[j, i] = factor·from[i, j] of kLanes rows and columns.
void transposeBlock(const float* from,
                    std::int64_t fromStride,
                    float factor,
                    float* to,
                    std::int64_t toStride)
{
    LaneBlock block;
    for (std::int64_t i = 0; i < kLanes; ++i) {
        block[static_cast<std::size_t>(i)] = factor * load(from + i * fromStride);
    }
    transpose(block);
    for (std::int64_t i = 0; i < kLanes; ++i) {
        store(to + i * toStride, block[static_cast<std::size_t>(i)]);
    }
}

} // namespace

std::array<int, 3> tileWidths()
{
    return {1, kSmallTile, kLargeTile};
}

void intoTile(const float* x,
              std::int64_t tokens,
              std::int64_t stride,
              float factor,
              const Range& channels,
              float* tile,
              int width)
{
    if (tokens < width) {
        std::fill(tile + channels.first * width, tile + channels.last * width, 0.0F);
    }
    forEachBlock(
        tokens,
        channels,
        [&](std::int64_t t, std::int64_t first) {
            transposeBlock(x + t * stride + first, stride, factor, tile + first * width + t, width);
        },
        [&](std::int64_t t, std::int64_t i) { tile[i * width + t] = factor * x[t * stride + i]; });
}

void outOfTile(const float* tile,
               int width,
               float factor,
               const Range& channels,
               float* y,
               std::int64_t tokens,
               std::int64_t stride)
{
    forEachBlock(
        tokens,
        channels,
        [&](std::int64_t t, std::int64_t first) {
            transposeBlock(tile + first * width + t, width, factor, y + t * stride + first, stride);
        },
        [&](std::int64_t t, std::int64_t i) { y[t * stride + i] = factor * tile[i * width + t]; });
}

void sumTile(const float* a, const float* b, int width, const Range& channels, float* sums)
{
    const auto lanesOf = [=](std::int64_t i) {
        const float* row = a + i * width;
        Lanes sum{};
        for (int t = 0; t < width; t += kLanes) {
            sum += b == nullptr ? load(row + t) : load(row + t) * load(b + i * width + t);
        }
        return sum;
    };
    std::int64_t i = channels.first;
    for (; width > 1 && i + kLanes <= channels.last; i += kLanes) {
        LaneBlock block;
        for (std::int64_t row = 0; row < kLanes; ++row) {
            block[static_cast<std::size_t>(row)] = lanesOf(i + row);
        }
        store(sums + i, sumsOf(block));
    }
    for (; i < channels.last; ++i) {
        if (width == 1) {
            sums[i] = b == nullptr ? a[i] : a[i] * b[i];
        } else {
            sums[i] = sumOf(lanesOf(i));
        }
    }
}

} // namespace flopsmith::cpu
