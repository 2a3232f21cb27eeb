// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/count.h"
#include "core/kernels/cpu/linear/linear.h"
#include "core/kernels/cpu/mixer.h"
#include "core/kernels/cpu/mixer/attention/attention_decode.h"
#include "core/kernels/cpu/mixer/attention/attention_steps.h"
#include "core/kernels/cpu/mixer/attention/rotary_table.h"
#include "core/kernels/cpu/simd/buffer.h"

#include <optional>

namespace flopsmith::cpu {

/// For whom AttentionHeads computes: the backward pass reads more of what it does on the way.
enum class KeptFor { nobody, backward };

/// Attention's forward pass with all that it computes on the way, which the backward pass reads.
class AttentionHeads
{
public:
    AttentionHeads(const Attention& attention,
                  const Shape& shape,
                  WeightView<float> weights,
                  Threads threads,
                  Precision precision,
                  KeptFor keptFor = KeptFor::nobody);

    /// From x to the weighted sums. `kept`, if it is not empty, gets every row's maximum and total.
    void mix(const MixerInput& input, const SoftmaxRows& kept = {});

    /// Queries, keys and values of x as the projection makes them, [T, q | k | v].
    void projectQkv(const float* x, float* qkv) const;

    /// The output projection of the sums, y [T, d].
    void project(float* y) const;

    const AttentionPlan& plan() const { return m_plan; }
    const ScoreSteps& steps() const { return m_steps; }
    const RotaryTable& rotary() const { return m_rotary; }
    const float* qkv() const { return m_qkv.data(); } ///< [T, q | k | v], normalised, rotated
    const float* mixed() const { return m_mixed.data(); } ///< the sums, [T, H·h]

    /// [H·B·S, C], materialised only: the probabilities.
    const float* scores() const { return m_scores.data(); }

    /// The same of a soft-cap's tanh, null unless kept for the backward pass.
    const float* tanhs() const { return m_tanhs.size() == 0 ? nullptr : m_tanhs.data(); }

    /// Threads worth waking for the core of this attention.
    Threads busyThreads() const;

    std::size_t workspaceBytes() const;

private:
    void normaliseAll();
    void rotateAll();
    void attendMaterialised(const MixerInput& input, const SoftmaxRows& kept);

    template <class Step>
    void forEachToken(const Step& step);

    template <class Step>
    void forEachTile(const MixerInput& input, const Step& step);

    Attention m_attention;
    AttentionPlan m_plan;
    WeightView<float> m_weights;
    Threads m_threads;
    std::int64_t m_tokens;
    Linear m_toQkv;
    Linear m_toOutput;
    RotaryTable m_rotary;
    ScoreSteps m_steps;
    Buffer m_qkv;
    Buffer m_scores;
    Buffer m_tanhs;
    Buffer m_mixed;
    Buffer m_scratch; ///< of one tile, per thread
    std::optional<DecodeCore> m_decode; ///< where each sequence has one new token
};

/// What AttentionHeads will allocate.
Count attentionHeadsBytes(const Attention& attention,
                         const Shape& shape,
                         Threads threads,
                         Precision precision,
                         KeptFor keptFor = KeptFor::nobody);

} // namespace flopsmith::cpu
