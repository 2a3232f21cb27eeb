// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/reference/variants.h"
#include "core/kernels/shape.h"
#include "core/kernels/weights.h"

#include <span>

// Reference kernels of the FFN family: simple loops, written to be read. They execute exactly the
// operations of the cost formulas in core/ffn, so that a run with the counting scalar
// (counting_scalar.h) proves the formulas; every fast kernel is tested against them.
namespace flopsmith::reference {

/// y = FFN(x) without the residual. x and y are [T, d] (T = shape.tokens()) and do not overlap;
/// `weights` are those of weights(ffn, d), in that order. S is float, double or Counted. Dropout acts
/// if shape.training.
///
/// One function per variant of the registry, defined in the variant's source.
#define FLOPSMITH_DECLARE_FFN(Spec)                                                                \
    template <class S>                                                                             \
    void forward(const Spec& ffn,                                                                  \
                 const Shape& shape,                                                               \
                 WeightView<S> weights,                                                            \
                 std::span<const S> x,                                                             \
                 std::span<S> y);
FLOPSMITH_FFN_VARIANTS(FLOPSMITH_DECLARE_FFN)
#undef FLOPSMITH_DECLARE_FFN

/// The same for an FFN of any kind that hasKernel().
template <class S>
void forward(const FfnSpec& ffn,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<S> y);

/// The gradients of Σ dy ⊙ FFN(x): dx [T, d] and one tensor per weight, sized like it; both are
/// overwritten. Saved activations are recomputed without being counted.
#define FLOPSMITH_DECLARE_FFN_BACKWARD(Spec)                                                       \
    template <class S>                                                                             \
    void backward(const Spec& ffn,                                                                 \
                  const Shape& shape,                                                              \
                  WeightView<S> weights,                                                           \
                  std::span<const S> x,                                                            \
                  std::span<const S> dy,                                                           \
                  std::span<S> dx,                                                                 \
                  GradientView<S> gradients);
FLOPSMITH_FFN_VARIANTS(FLOPSMITH_DECLARE_FFN_BACKWARD)
#undef FLOPSMITH_DECLARE_FFN_BACKWARD

template <class S>
void backward(const FfnSpec& ffn,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> x,
              std::span<const S> dy,
              std::span<S> dx,
              GradientView<S> gradients);

} // namespace flopsmith::reference
