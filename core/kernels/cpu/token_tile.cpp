// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/token_tile.h"

#include "core/kernels/cpu/tile_width.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

// Calls visit(first, last) for pieces of the channels that take one cache line of each token.
template <class Visit>
void forEachPiece(const Range& channels, const Visit& visit)
{
    constexpr std::int64_t kPiece = 16;
    for (std::int64_t first = channels.first; first < channels.last; first += kPiece) {
        visit(first, std::min(first + kPiece, channels.last));
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
    forEachPiece(channels, [&](std::int64_t first, std::int64_t last) {
        if (tokens < width) {
            std::fill(tile + first * width, tile + last * width, 0.0F);
        }
        for (std::int64_t t = 0; t < tokens; ++t) {
            for (std::int64_t i = first; i < last; ++i) {
                tile[i * width + t] = factor * x[t * stride + i];
            }
        }
    });
}

void outOfTile(const float* tile,
               int width,
               float factor,
               const Range& channels,
               float* y,
               std::int64_t tokens,
               std::int64_t stride)
{
    forEachPiece(channels, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t t = 0; t < tokens; ++t) {
            for (std::int64_t i = first; i < last; ++i) {
                y[t * stride + i] = factor * tile[i * width + t];
            }
        }
    });
}

void sumTile(const float* a, const float* b, int width, const Range& channels, float* sums)
{
    for (std::int64_t i = channels.first; i < channels.last; ++i) {
        const float* row = a + i * width;
        const float* factors = b == nullptr ? nullptr : b + i * width;
        if (width == 1) {
            sums[i] = factors == nullptr ? *row : *row * *factors;
            continue;
        }
        Lanes sum{};
        for (int t = 0; t < width; t += kLanes) {
            sum += factors == nullptr ? load(row + t) : load(row + t) * load(factors + t);
        }
        sums[i] = sumOf(sum);
    }
}

} // namespace flopsmith::cpu
