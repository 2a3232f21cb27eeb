// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/mixer/attention/attention_core.h"
#include "core/kernels/cpu/mixer/attention/attention_steps_backward.h"

#include <span>

namespace flopsmith::cpu {

/// The gradients that one part of a KV head's tiles sums (see HeadGradients): where each begins, in
/// floats.
struct GradientLayout
{
    std::int64_t values;
    std::int64_t biases;
    std::int64_t sinks;
    std::int64_t end;

    GradientLayout(const AttentionPlan& plan, const ScoreSteps& steps)
        : values(plan.keys() * plan.keyDim)
        , biases(values + plan.keys() * plan.valueDim)
        , sinks(biases + (steps.learnsBias() ? plan.groupSize() * steps.offsets() : 0))
        , end(sinks + (steps.sinks() != nullptr ? plan.groupSize() : 0))
    {}
};

/// The backward pass of an AttentionCore, with the forward pass that it follows.
class AttentionCoreBackward
{
public:
    AttentionCoreBackward(const AttentionPlan& plan,
                          AttentionAlgorithm algorithm,
                          ScoreSteps steps,
                          Threads threads);

    /// The forward pass: sums [T, H·valueDim]. The memory of input and sums is borrowed until the
    /// last run().
    void save(const CoreInput& input, float* sums);

    /// dQueries [T, H·keyDim] from dSums [T, H·valueDim], and the gradients that the functions below
    /// read.
    void run(const float* dSums, const MatrixAt<float>& dQueries);

    /// to (+)= some features of one key's gradient, or all of one value's.
    void addKey(std::int64_t sequence,
                std::int64_t kvHead,
                std::int64_t key,
                Range features,
                Into into,
                float* to) const;
    void addValue(std::int64_t sequence,
                  std::int64_t kvHead,
                  std::int64_t key,
                  Into into,
                  float* to) const;

    /// The gradients of a table of biases [buckets, H] and of the sinks [H]; empty without them.
    void collectBiases(std::span<float> table) const;
    void collectSinks(std::span<float> sinks) const;

private:
    const AttentionPlan& plan() const { return m_core.plan(); }
    const ScoreSteps& steps() const { return m_core.steps(); }
    std::int64_t units() const { return plan().batch * plan().kvHeads * m_parts; }

    SoftmaxRows softmaxRows();
    HeadGradients gradientsOf(std::int64_t unit);
    void runMaterialised(const float* dSums, const MatrixAt<float>& dQueries);
    void add(const float* first, std::int64_t count, Into into, float* to) const;

    // Calls each(head, its number in its group, gradients) for the query heads of every unit.
    template <class Each>
    void forEachHead(const Each& each) const;

    template <class Step>
    void forEachTile(const Step& step);

    AttentionCore m_core;
    Threads m_threads;
    std::int64_t m_parts; ///< per KV head; each has its own sums, so that every sum has one order
    GradientLayout m_layout;
    CoreInput m_input{};
    const float* m_sums = nullptr;
    Buffer m_rowMax; ///< of each row; flash, or sinks
    Buffer m_rowSum;
    Buffer m_dScores; ///< materialised only
    Buffer m_gradients; ///< per unit, see GradientLayout
    Buffer m_scratch; ///< of one tile, per thread
};

} // namespace flopsmith::cpu
