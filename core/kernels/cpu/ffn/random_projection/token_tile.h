// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/threads/parallel.h"

#include <array>
#include <cstdint>

// Tiles of tokens: [channels, width]. One channel of all tokens fills whole registers, so that all
// lanes do the same work.
namespace flopsmith::cpu {

/// Tokens that a tile may hold, ascending: one, or one or two registers of them.
std::array<int, 3> tileWidths();

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
