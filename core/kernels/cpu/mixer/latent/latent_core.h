// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/linear/linear.h"
#include "core/kernels/cpu/mixer.h"
#include "core/kernels/cpu/mixer/attention/rotary_table.h"
#include "core/kernels/cpu/mixer/latent/latent_plan.h"
#include "core/kernels/cpu/simd/buffer.h"

#include <cstdint>

namespace flopsmith::cpu {

/// The steps of latent attention around its core; their results are saved for the backward pass.
class LatentCore
{
public:
    LatentCore(const LatentPlan& plan, WeightView<float> weights, Threads threads);

    /// The steps before the core.
    void prepare(const MixerInput& input);

    /// The core's operands: their results and the cache.
    CoreInput coreInput(const MixerInput& input) const;

    /// In the absorbed form, the sums times W_uv.
    void absorbValues();

    /// That and the output projection, y [T, d].
    void project(float* y);

    const LatentPlan& plan() const { return m_plan; }
    const LatentTensors& tensors() const { return m_tensors; }
    const RotaryTable& rotary() const { return m_rotary; }
    Threads threads() const { return m_threads; }

    float* sums() { return m_sums.data(); } ///< [T, H·valueDim]
    const float* sums() const { return m_sums.data(); }
    const float* mixed() const; ///< input of the output projection [T, H·h_v]
    const float* queryLatents() const { return m_queryLatents.data(); } ///< before their norm
    const float* queryNormed() const { return m_queryNormed.data(); }
    const float* q() const { return m_q.data(); } ///< [T, H·(h_nope + h_rope)], rotated
    const float* down() const { return m_down.data(); } ///< [T, r_kv + h_rope], before the norm
    const float* latents() const { return m_latents.data(); } ///< [T, r_kv]

private:
    void projectQueries(const float* x);
    void projectLatents(const float* x);
    void expand(const MatrixAt<const float>& latents,
                std::int64_t tokens,
                Buffer& keys,
                Buffer& values) const;

    LatentPlan m_plan;
    LatentTensors m_tensors;
    WeightView<float> m_weights;
    Threads m_threads;
    Linear m_toQueries;
    Linear m_toOutput;
    Linear m_toLatents;
    RotaryTable m_rotary;
    Buffer m_queryLatents; ///< [T, r_q]
    Buffer m_queryNormed;
    Buffer m_q;
    Buffer m_down;
    Buffer m_latents;
    Buffer m_ropeKeys; ///< [T, h_rope], rotated
    Buffer m_absorbed; ///< absorbed: [T, H·(r_kv + h_rope)]
    Buffer m_keys; ///< expanded: [T, H·h_nope], and the values
    Buffer m_values;
    Buffer m_cachedKeys; ///< expanded from cached latents
    Buffer m_cachedValues;
    Buffer m_sums;
    Buffer m_mixed; ///< absorbed: [T, H·h_v]
};

} // namespace flopsmith::cpu
