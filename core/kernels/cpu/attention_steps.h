// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/attention_tile.h"

namespace flopsmith::cpu {

/// Keys of one block of a tile's scores: 64 rows of them take 64 KiB.
inline constexpr std::int64_t kKeysAtOnce = 256;

/// Largest score and Σ e^(score − largest) of every row (see AttentionTile::firstRow()); null if
/// nobody wants them.
struct SoftmaxRows
{
    float* maxima = nullptr;
    float* totals = nullptr;
};

/// Floats of scratch that a thread needs for flashTile() and for the materialised steps.
std::size_t tileScratch(const AttentionPlan& plan);

/// One tile from queries to weighted sums, block of keys by block of keys with a running maximum
/// (Milakov and Gimelshein 2018; Dao et al. 2022): the scores never leave the cache.
void flashTile(const AttentionTile& tile,
               const AttentionPlan& plan,
               float* scratch,
               float* mixed,
               const SoftmaxRows& kept);

/// The same in three steps, each over all tiles before the next: scores [H·B·S, C] are written,
/// turned into weights in place, and read again.
void writeScores(const AttentionTile& tile,
                 const AttentionPlan& plan,
                 float* scratch,
                 float* scores);
void turnIntoWeights(const AttentionTile& tile, const AttentionPlan& plan, float* scores);
void sumValues(const AttentionTile& tile,
               const AttentionPlan& plan,
               float* scratch,
               const float* scores,
               float* mixed);

} // namespace flopsmith::cpu
