// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/mixer/attention/attention_decode.h"
#include "core/kernels/cpu/mixer/attention/attention_scores.h"
#include "core/kernels/cpu/mixer/attention/attention_steps.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/mixer/attention.h"

#include <cstddef>
#include <optional>

namespace flopsmith::cpu {

/// The purpose of a forward pass: training saves activations for the backward pass.
enum class Purpose { inference, training };

/// From queries, keys and values to weighted sums, the core of attention, cross-attention and
/// latent attention. Flash: the scores never leave the cache. Materialised: the scores of all rows
/// are written, softmax computed in place, and the probabilities read again.
class AttentionCore
{
public:
    AttentionCore(const AttentionPlan& plan,
                  AttentionAlgorithm algorithm,
                  ScoreSteps steps,
                  Threads threads,
                  Purpose purpose = Purpose::inference);

    /// sums [T, H·valueDim]. `saved`, if it is not empty, gets the row max and row sum of
    /// every row of scores.
    void run(const CoreInput& input, float* sums, const SoftmaxRows& saved = {});

    const AttentionPlan& plan() const { return m_plan; } ///< with tiles
    const ScoreSteps& steps() const { return m_steps; }
    Threads busyThreads() const { return m_plan.busy(m_threads); }

    /// [H·B·S, C], materialised only: the probabilities.
    const float* scores() const { return m_scores.data(); }

    /// The same of a soft-cap's tanh, null unless saved for the backward pass.
    const float* tanhs() const { return m_tanhs.size() == 0 ? nullptr : m_tanhs.data(); }

private:
    bool isFlash() const { return m_algorithm == AttentionAlgorithm::flash; }
    void runMaterialised(const CoreInput& input, float* sums, const SoftmaxRows& saved);

    template <class Step>
    void forEachTile(const CoreInput& input, const Step& step);

    AttentionAlgorithm m_algorithm;
    AttentionPlan m_plan;
    ScoreSteps m_steps;
    Threads m_threads;
    Buffer m_scores;
    Buffer m_tanhs;
    Buffer m_scratch; ///< of one tile, per thread
    std::optional<DecodeCore> m_decode; ///< where each sequence has one new token
};

} // namespace flopsmith::cpu
