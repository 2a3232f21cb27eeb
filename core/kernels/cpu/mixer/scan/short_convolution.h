// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/mixer/scan/scan_plan.h"
#include "core/kernels/cpu/threads/parallel.h"

#include <span>

namespace flopsmith::cpu {

/// What the convolution reads: the middle of the rows of the input projection, and before them the
/// cached inputs [B, w_c − 1, channels], or zeros if there are none.
struct ConvolutionInput
{
    const float* projected; ///< [T, projected]
    std::span<const float> cached;
};

/// One row of it, before() < 0 tokens before the sequence included; null for zeros.
const float* convolutionRow(const ScanPlan& plan,
                            const ConvolutionInput& input,
                            std::int64_t sequence,
                            std::int64_t position);

/// y = silu(b + Σ_i w[i] ⊙ x_{t−w_c+1+i}) [T, channels]; `bias` may be null. With `before` the sums
/// are kept too.
void convolve(const ScanPlan& plan,
              const ConvolutionInput& input,
              const float* weight,
              const float* bias,
              float* y,
              float* before,
              Threads threads);

/// In place dy [T, channels] becomes the gradient of the sums; then the gradients of the inputs, into
/// the middle of the rows of dProjected, and of the weights.
void convolveBackward(const ScanPlan& plan,
                      const ConvolutionInput& input,
                      const float* before,
                      const float* weight,
                      float* dy,
                      float* dProjected,
                      std::span<float> dWeight,
                      std::span<float> dBias,
                      Threads threads);

} // namespace flopsmith::cpu
