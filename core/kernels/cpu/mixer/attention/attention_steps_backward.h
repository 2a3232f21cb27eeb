// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/mixer/attention/attention_steps.h"

namespace flopsmith::cpu {

/// The accumulators of a tile's backward pass: the gradients of all keys [C, keyDim] and values [C,
/// valueDim] of its KV head and sequence, and of its query heads' biases [group size, offsets] and
/// sinks [group size], or null. Tiles that share them run one after the other.
struct HeadGradients
{
    float* keys;
    float* values;
    float* biases;
    float* sinks;
};

/// Floats of scratch that a thread needs for the steps below.
std::size_t tileBackwardScratch(const AttentionPlan& plan);

/// One tile's gradients, block of keys by block of keys, with the probabilities recomputed from row
/// max and row sum (Dao et al. 2022). `sums` are the forward pass's and dSums their gradients, both
/// [T, H·valueDim]; dQueries are [T, H·keyDim].
void flashTileBackward(const AttentionTile& tile,
                       const AttentionPlan& plan,
                       const ScoreSteps& steps,
                       const SoftmaxRows& saved,
                       const float* sums,
                       const float* dSums,
                       float* scratch,
                       const HeadGradients& gradients,
                       const MatrixAt<float>& dQueries);

/// The same in steps, each over all tiles before the next, from the saved probabilities [H·B·S, C]:
/// their gradients are written to dScores; the backward passes of softmax, bias and soft-cap follow
/// in place; then they are read again. `saved` is read if there are sinks.
void weightedSumBackward(const AttentionTile& tile,
                         const AttentionPlan& plan,
                         const float* probabilities,
                         const float* dSums,
                         float* scratch,
                         float* dScores,
                         const HeadGradients& gradients);
void softmaxBackward(const AttentionTile& tile,
                     const AttentionPlan& plan,
                     const ScoreSteps& steps,
                     const SoftmaxRows& saved,
                     const float* probabilities,
                     const HeadGradients& gradients,
                     float* dScores);
void scoreStepsBackward(const AttentionTile& tile,
                        const AttentionPlan& plan,
                        const ScoreSteps& steps,
                        const float* tanhs,
                        const HeadGradients& gradients,
                        float* dScores);
void scoresBackward(const AttentionTile& tile,
                    const AttentionPlan& plan,
                    const float* dScores,
                    float* scratch,
                    const HeadGradients& gradients,
                    const MatrixAt<float>& dQueries);

} // namespace flopsmith::cpu
