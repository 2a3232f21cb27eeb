// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/reference/variants.h"
#include "core/kernels/shape.h"
#include "core/kernels/weights.h"

#include <cstddef>
#include <span>

namespace flopsmith::reference {

/// y = mixer(x) without the residual; y is [T, d]. x, `cachedKeys` and `cachedValues` have the
/// sizes of MixerOperands, oldest token first, rotary already applied to the keys; in prefill (C =
/// S) nothing is cached. The i-th query token (from 0) of a sequence has position C − S + i.
///
/// One function per variant of the registry, defined in the variant's source.
#define FLOPSMITH_DECLARE_MIXER(Spec)                                                              \
    template <class S>                                                                             \
    void forward(const Spec& mixer,                                                                \
                 const Shape& shape,                                                               \
                 WeightView<S> weights,                                                            \
                 std::span<const S> x,                                                             \
                 std::span<const S> cachedKeys,                                                    \
                 std::span<const S> cachedValues,                                                  \
                 std::span<S> y);
FLOPSMITH_MIXER_VARIANTS(FLOPSMITH_DECLARE_MIXER)
#undef FLOPSMITH_DECLARE_MIXER

/// The same for a mixer of any kind that hasKernel().
template <class S>
void forward(const MixerSpec& mixer,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<const S> cachedKeys,
             std::span<const S> cachedValues,
             std::span<S> y);

/// The gradients of Σ dy ⊙ mixer(x) in prefill (C = S): dx, sized like x (with the source where the
/// mixer reads it), and one tensor per weight, sized like it; both are overwritten. Saved
/// activations are recomputed without being counted.
#define FLOPSMITH_DECLARE_MIXER_BACKWARD(Spec)                                                     \
    template <class S>                                                                             \
    void backward(const Spec& mixer,                                                               \
                  const Shape& shape,                                                              \
                  WeightView<S> weights,                                                           \
                  std::span<const S> x,                                                            \
                  std::span<const S> dy,                                                           \
                  std::span<S> dx,                                                                 \
                  GradientView<S> gradients);
FLOPSMITH_MIXER_VARIANTS(FLOPSMITH_DECLARE_MIXER_BACKWARD)
#undef FLOPSMITH_DECLARE_MIXER_BACKWARD

template <class S>
void backward(const MixerSpec& mixer,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> x,
              std::span<const S> dy,
              std::span<S> dx,
              GradientView<S> gradients);

/// Elements of cachedKeys, and again of cachedValues: batch·(C − S)·G·h.
std::size_t cachedElements(const Attention& attention, const Shape& shape);

} // namespace flopsmith::reference
