// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/lanes.h"
#include "core/kernels/cpu/parallel.h"

#include <cstdint>
#include <type_traits>

// Tiles of tokens: [channels, width], so that one channel of all tokens fills whole registers and
// work that differs from channel to channel is the same for all lanes.
namespace flopsmith::cpu {

/// Tokens that a tile may hold: one, or one or two registers of them.
inline constexpr int kSmallTile = kLanes;
inline constexpr int kLargeTile = 2 * kLanes;

/// The width of the tile for so many of the tokens that are left.
inline int tileWidth(std::int64_t tokensLeft)
{
    return tokensLeft == 1 ? 1 : tokensLeft <= kSmallTile ? kSmallTile : kLargeTile;
}

/// Calls f(std::integral_constant width), so that loops are compiled for each width.
template <class F>
void withTileWidth(int width, const F& f)
{
    if (width == kLargeTile) {
        f(std::integral_constant<int, kLargeTile>{});
    } else if (width == kSmallTile) {
        f(std::integral_constant<int, kSmallTile>{});
    } else {
        f(std::integral_constant<int, 1>{});
    }
}

/// tile[i] = f(tile[i], i) for every value of the channels i of the range.
template <class F>
void transformTile(float* tile, int width, const Range& channels, const F& f)
{
    withTileWidth(width, [&](auto constant) {
        constexpr int kWidth = decltype(constant)::value;
        for (std::int64_t i = channels.first; i < channels.last; ++i) {
            for (int t = 0; t < kWidth; ++t) {
                tile[i * kWidth + t] = f(tile[i * kWidth + t], i);
            }
        }
    });
}

/// x [tokens, of which each has `stride` values] → tile, channels of the range only; tokens that
/// are missing in the tile are zeros.
void intoTile(const float* x,
              std::int64_t tokens,
              std::int64_t stride,
              float factor,
              const Range& channels,
              float* tile,
              int width);

/// y = factor · tile, channels of the range only.
void outOfTile(const float* tile,
               int width,
               float factor,
               const Range& channels,
               float* y,
               std::int64_t tokens,
               std::int64_t stride);

/// sums[i] = Σ_t a[i, t]·b[i, t], and Σ_t a[i, t] if b is null, for the channels of the range.
void sumTile(const float* a, const float* b, int width, const Range& channels, float* sums);

} // namespace flopsmith::cpu
