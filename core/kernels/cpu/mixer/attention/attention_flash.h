// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/mixer/attention/attention_steps.h"

namespace flopsmith::cpu {

/// Max rows of a tile for flashTile(): twice as many as elsewhere, which halves the time of packing
/// keys and values.
std::int64_t flashTileRows(const AttentionPlan& plan);

/// Floats of scratch per thread for flashTile(), aligned to a cache line.
std::size_t flashScratch(const AttentionPlan& plan);

/// One tile from queries to weighted sums, block of keys by block of keys with online softmax
/// (Milakov and Gimelshein 2018; Dao et al. 2022): the scores never leave the cache. With
/// enough rows, keys and values of a block are packed once, and a dozen rows at a time go from
/// queries to weighted sums: their scores stay in the first-level cache, and keys that are masked
/// for all of them are skipped.
void flashTile(const AttentionTile& tile,
               const AttentionPlan& plan,
               const ScoreSteps& steps,
               float* scratch,
               const MatrixAt<float>& sums,
               const SoftmaxRows& saved);

} // namespace flopsmith::cpu
