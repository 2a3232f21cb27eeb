// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/mixer/attention/attention_steps.h"

namespace flopsmith::cpu {

/// Rows of a tile for flashTile(), at most: twice as many as elsewhere halve the time that packing
/// keys and values takes.
std::int64_t flashTileRows(const AttentionPlan& plan);

/// Floats of scratch that a thread needs for flashTile(), which begin at a cache line.
std::size_t flashScratch(const AttentionPlan& plan);

/// One tile from queries to weighted sums, block of keys by block of keys with online softmax
/// (Milakov and Gimelshein 2018; Dao et al. 2022): the scores never leave the cache. Where there
/// are rows enough, keys and values of a block are packed once, and a dozen rows at a time go from
/// queries to sums, so that their scores stay in the first-level cache and keys that none of them
/// sees are left out.
void flashTile(const AttentionTile& tile,
               const AttentionPlan& plan,
               const ScoreSteps& steps,
               float* scratch,
               const MatrixAt<float>& sums,
               const SoftmaxRows& saved);

} // namespace flopsmith::cpu
