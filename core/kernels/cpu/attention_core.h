// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/count.h"
#include "core/kernels/cpu/attention_steps.h"
#include "core/kernels/cpu/buffer.h"
#include "core/kernels/cpu/linear.h"
#include "core/kernels/cpu/mixer.h"
#include "core/kernels/cpu/rotary_table.h"

namespace flopsmith::cpu {

/// Attention's forward pass with all that it computes on the way, which the backward pass reads.
class AttentionCore
{
public:
    AttentionCore(const Attention& attention,
                  const Shape& shape,
                  WeightView<float> weights,
                  Threads threads);

    /// From x to the weighted sums. `kept`, if it is not empty, gets every row's maximum and total.
    void mix(const MixerInput& input, const SoftmaxRows& kept = {});

    /// The output projection of the sums, y [T, d].
    void project(float* y) const;

    const AttentionPlan& plan() const { return m_plan; }
    const RotaryTable& rotary() const { return m_rotary; }
    const float* qkv() const { return m_qkv.data(); } ///< [T, q | k | v], rotated
    const float* mixed() const { return m_mixed.data(); } ///< the sums, [T, H·h]

    /// [H·B·S, C], materialised only: the probabilities.
    const float* scores() const { return m_scores.data(); }

    /// Threads worth waking for the core of this attention.
    Threads busyThreads() const;

    std::size_t workspaceBytes() const;

private:
    void rotateAll();
    void attendMaterialised(const MixerInput& input);

    template <class Step>
    void forEachTile(const MixerInput& input, const Step& step);

    AttentionPlan m_plan;
    Threads m_threads;
    std::int64_t m_tokens;
    Linear m_toQkv;
    Linear m_toOutput;
    RotaryTable m_rotary;
    Buffer m_qkv;
    Buffer m_scores;
    Buffer m_mixed;
    Buffer m_scratch; ///< of one tile, per thread
};

/// What an AttentionCore will allocate.
Count attentionCoreBytes(const Attention& attention, const Shape& shape, Threads threads);

} // namespace flopsmith::cpu
