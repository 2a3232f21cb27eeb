// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/linear/linear.h"
#include "core/kernels/cpu/mixer.h"
#include "core/kernels/cpu/mixer/attention/attention_core.h"
#include "core/kernels/cpu/mixer/attention/rotary_table.h"
#include "core/kernels/cpu/simd/buffer.h"

namespace flopsmith::cpu {

/// The sizes of attention's core.
AttentionPlan attentionPlan(const Attention& attention, const Shape& shape);

/// The steps of attention around its core: projections, QK-norm, RoPE.
class AttentionHeads
{
public:
    AttentionHeads(const Attention& attention,
                   const Shape& shape,
                   WeightView<float> weights,
                   Threads threads,
                   Precision precision,
                   Purpose purpose = Purpose::inference);

    /// Queries, keys and values of x, normalised, limited and rotated.
    void prepare(const MixerInput& input);

    /// The core's operands: these and the cache.
    CoreInput coreInput(const MixerInput& input) const;

    /// The output of the QKV projection of x, [T, q | k | v], before norms, limit and RoPE.
    void projectQkv(const float* x, float* qkv) const;

    /// Turns the gradients of the limited rows q | k | v of the last prepare() into those before
    /// the limit, in place; for training only.
    void limitBackward(float* dQkv);

    /// The output projection of the sums, y [T, d].
    void project(float* y) const;

    const RotaryTable& rotary() const { return m_rotary; }
    float* sums() { return m_sums.data(); } ///< [T, H·h]

private:
    void normaliseAll();
    void limitAll();
    void rotateAll();

    template <class Step>
    void forEachToken(const Step& step);

    Attention m_attention;
    AttentionPlan m_plan;
    WeightView<float> m_weights;
    Threads m_threads;
    std::int64_t m_tokens;
    Linear m_toQkv;
    Linear m_toOutput;
    RotaryTable m_rotary;
    Buffer m_qkv; ///< [T, q | k | v]
    Buffer m_unlimited; ///< the same before the limit; empty without one, or unless training
    Buffer m_sums;
};

} // namespace flopsmith::cpu
