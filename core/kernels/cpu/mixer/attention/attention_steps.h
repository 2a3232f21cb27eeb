// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/mixer/attention/attention_scores.h"
#include "core/kernels/cpu/mixer/attention/attention_tile.h"

namespace flopsmith::cpu {

/// Keys of one block of a tile's scores: 192 rows of them take 192 KiB.
inline constexpr std::int64_t kKeysAtOnce = 256;

/// Row max and row sum Σ e^(score − max) of every row (see AttentionTile::firstRow()), the sink
/// included; null where they are not saved.
struct SoftmaxRows
{
    float* rowMax = nullptr;
    float* rowSum = nullptr;
};

/// Floats of scratch that a thread needs for a tile's queries and sums.
std::size_t tileScratch(const AttentionPlan& plan);

/// The materialised steps of one tile, each over all tiles before the next (in one step:
/// attention_flash.h): scores [H·B·S, C] are written, soft-cap and biases applied, softmax computed
/// in place, and the probabilities read again. `tanhs`, of the same size, gets the soft-cap's tanhs
/// if it is not null.
void writeScores(const AttentionTile& tile,
                 const AttentionPlan& plan,
                 float* scratch,
                 float* scores);
void applyScoreSteps(const AttentionTile& tile,
                     const AttentionPlan& plan,
                     const ScoreSteps& steps,
                     float* scores,
                     float* tanhs);
void softmax(const AttentionTile& tile,
             const AttentionPlan& plan,
             const ScoreSteps& steps,
             float* scores,
             const SoftmaxRows& saved);
void weightedSums(const AttentionTile& tile,
                  const AttentionPlan& plan,
                  float* scratch,
                  const float* scores,
                  const MatrixAt<float>& sums);

} // namespace flopsmith::cpu
