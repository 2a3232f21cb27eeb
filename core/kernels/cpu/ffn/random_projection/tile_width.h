// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/simd/lanes.h"
#include "core/kernels/cpu/threads/parallel.h"

#include <cstdint>
#include <type_traits>

// Widths of token tiles (token_tile.h) in the registers that this folder is compiled for: like
// lanes.h for the sources of this folder only.
namespace flopsmith::cpu {

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

} // namespace flopsmith::cpu
