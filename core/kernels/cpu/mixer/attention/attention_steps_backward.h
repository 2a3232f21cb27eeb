// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/mixer/attention/attention_steps.h"

namespace flopsmith::cpu {

/// What a tile's backward adds to: the gradients of all keys and values of its sequence that its
/// key head has, [S, h] each, and those of its query heads' biases [sharers, offsets] and sinks
/// [sharers], null without. Tiles that share them run one after the other.
struct HeadGradients
{
    float* keys;
    float* values;
    float* biases;
    float* sinks;
};

/// Floats of scratch that a thread needs for the steps below.
std::size_t tileBackwardScratch(const AttentionPlan& plan);

/// One tile's gradients, block of keys by block of keys, with the probabilities computed again
/// from the rows' maxima and totals (Dao et al. 2022). `mixed` are the sums of the forward pass and
/// dMixed their gradients, both [T, H·h]; the queries' gradients go to their places in dQkv.
void flashTileBackward(const AttentionTile& tile,
                       const AttentionPlan& plan,
                       const ScoreSteps& steps,
                       const SoftmaxRows& kept,
                       const float* mixed,
                       const float* dMixed,
                       float* room,
                       const HeadGradients& gradients,
                       float* dQkv);

/// The same in steps, each over all tiles before the next, from the kept probabilities [H·B·S, C]:
/// their gradients are written to dScores, turned into those of the scores in place, first through
/// softmax and then through bias and soft-cap if there are any, and read again. `kept` is read if
/// there are sinks.
void weightedSumBackward(const AttentionTile& tile,
                         const AttentionPlan& plan,
                         const float* probabilities,
                         const float* dMixed,
                         float* room,
                         float* dScores,
                         const HeadGradients& gradients);
void softmaxBackward(const AttentionTile& tile,
                     const AttentionPlan& plan,
                     const ScoreSteps& steps,
                     const SoftmaxRows& kept,
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
                    float* room,
                    const HeadGradients& gradients,
                    float* dQkv);

} // namespace flopsmith::cpu
