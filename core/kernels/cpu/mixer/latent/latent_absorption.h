// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/mixer/latent/latent_plan.h"

// The products of the absorbed form, one per head with that head's columns of k_b.weight or
// v_b.weight, and their backward pass. Weights and gradients are for all heads.
namespace flopsmith::cpu {

/// absorbed [T, H·(r_kv + h_rope)] = q_nope·W_ukᵀ | q_rope from q [T, H·(h_nope + h_rope)].
void absorbKeys(const LatentPlan& plan,
                const float* weight,
                const float* q,
                float* absorbed,
                Threads threads);

/// mixed [T, H·h_v] = sums·W_uv from sums [T, H·r_kv].
void absorbValues(const LatentPlan& plan,
                  const float* weight,
                  const float* sums,
                  float* mixed,
                  Threads threads);

/// dq and dW_uk = dᵀ·q_nope from the gradient d of `absorbed`.
void absorbKeysBackward(const LatentPlan& plan,
                        const float* weight,
                        const float* q,
                        const float* dAbsorbed,
                        float* dQ,
                        float* dWeight,
                        Threads threads);

/// dsums and dW_uv = sumsᵀ·dmixed.
void absorbValuesBackward(const LatentPlan& plan,
                          const float* weight,
                          const float* sums,
                          const float* dMixed,
                          float* dSums,
                          float* dWeight,
                          Threads threads);

} // namespace flopsmith::cpu
