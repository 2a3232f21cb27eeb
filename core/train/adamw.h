// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/weights.h"
#include "core/train/recipe.h"
#include "core/train/settings/training_settings.h"

#include <cstdint>
#include <span>

namespace flopsmith {

/// One update of a tensor [n]: w ← (1 − ηκλ)·w if it decays, then Adam with the rate ηκ. κ is the
/// recipe's rate, perhaps with a factor per column. `moments` [2n] are m, then v, zero before the
/// first step; `step` counts from 1.
template <class S>
void updateTensor(const AdamW& optimizer,
                  const TensorRecipe& recipe,
                  double rate,
                  std::int64_t step,
                  std::span<const S> gradient,
                  std::span<S> moments,
                  std::span<S> weights);

/// The norm of all gradients of trainable tensors together; not counted.
template <class S>
double gradientNorm(const WeightShapes& shapes, const Weights<S>& gradients);

/// Multiplies them by min(1, largest/(norm + 10⁻⁶)), as clippingCount() counts it. Returns the norm
/// before clipping.
template <class S>
double clipToNorm(const WeightShapes& shapes, double largest, Weights<S>& gradients);

} // namespace flopsmith
