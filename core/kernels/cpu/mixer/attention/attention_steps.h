// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/mixer/attention/attention_scores.h"
#include "core/kernels/cpu/mixer/attention/attention_tile.h"

namespace flopsmith::cpu {

/// Keys of one block of a tile's scores: 192 rows of them take 192 KiB.
inline constexpr std::int64_t kKeysAtOnce = 256;

/// Largest score and Σ e^(score − largest) of every row (see AttentionTile::firstRow()), the sink
/// included; null if nobody wants them.
struct SoftmaxRows
{
    float* rowMax = nullptr;
    float* rowSum = nullptr;
};

/// Floats of scratch that a thread needs for a tile's queries and sums.
std::size_t tileScratch(const AttentionPlan& plan);

/// One tile from queries to weighted sums in steps, each over all tiles before the next (in one:
/// attention_flash.h): scores [H·B·S, C] are written, capped and biased if they are to be, turned
/// into weights in place, and read again. `tanhs`, of the same size, gets those of a soft-cap if it
/// is not null.
void writeScores(const AttentionTile& tile,
                 const AttentionPlan& plan,
                 float* scratch,
                 float* scores);
void finishScores(const AttentionTile& tile,
                  const AttentionPlan& plan,
                  const ScoreSteps& steps,
                  float* scores,
                  float* tanhs);
void turnIntoWeights(const AttentionTile& tile,
                     const AttentionPlan& plan,
                     const ScoreSteps& steps,
                     float* scores,
                     const SoftmaxRows& saved);
void sumValues(const AttentionTile& tile,
               const AttentionPlan& plan,
               float* scratch,
               const float* scores,
               const MatrixAt<float>& sums);

} // namespace flopsmith::cpu
