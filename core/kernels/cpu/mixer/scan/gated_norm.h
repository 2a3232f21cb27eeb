// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/mixer/scan/scan_plan.h"
#include "core/kernels/cpu/threads/parallel.h"

#include <span>

namespace flopsmith::cpu {

/// y ⊙ silu(z), normalised part by part and times γ where the mixer has the norm. z is the first part
/// of a row of the input projection.
struct GatedNorm
{
    const ScanPlan& plan;
    const float* scale; ///< γ; null without the norm
    const float* projected;
    const float* y; ///< [T, P]

    /// out [T, P]. With `factors` [T, G_n] the factor of each part is kept.
    void run(float* out, float* factors, Threads threads) const;

    /// In place dOut becomes the gradient of y; the gradient of z goes to the first part of
    /// the rows of dProjected. `gated` is scratch [T, P].
    void runBackward(const float* factors,
                     float* dOut,
                     float* gated,
                     float* dProjected,
                     std::span<float> dScale,
                     Threads threads) const;
};

} // namespace flopsmith::cpu
