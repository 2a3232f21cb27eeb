// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/weights.h"
#include "core/layer/norm.h"

#include <cstddef>

namespace flopsmith::cpu {

/// The norm of one token, x → y, which may alias; returns rstd (1/σ), or 1 without a norm.
/// `weights` begin with the norm's own.
float normaliseRow(const Norm& norm,
                   WeightView<float> weights,
                   const float* x,
                   float* y,
                   std::size_t d);

} // namespace flopsmith::cpu
