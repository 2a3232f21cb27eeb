// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/reference/counting_scalar.h"
#include "core/kernels/weights.h"

#include <span>

// Kernels are compiled for float, the precision of the fast kernels, for double, which checks them,
// and for Counted, which checks the cost formulas.
#define FLOPSMITH_FOR_REFERENCE_SCALARS(X, Spec)                                                   \
    X(Spec, float)                                                                                 \
    X(Spec, double)                                                                                \
    X(Spec, Counted)

#define FLOPSMITH_FFN_INSTANCE(Spec, S)                                                            \
    template void forward<S>(                                                                      \
        const Spec&, const Shape&, WeightView<S>, std::span<const S>, std::span<S>);

#define FLOPSMITH_FFN_BACKWARD_INSTANCE(Spec, S)                                                   \
    template void backward<S>(const Spec&,                                                         \
                              const Shape&,                                                        \
                              WeightView<S>,                                                       \
                              std::span<const S>,                                                  \
                              std::span<const S>,                                                  \
                              std::span<S>,                                                        \
                              GradientView<S>);

#define FLOPSMITH_MIXER_INSTANCE(Spec, S)                                                          \
    template void forward<S>(const Spec&,                                                          \
                             const Shape&,                                                         \
                             WeightView<S>,                                                        \
                             std::span<const S>,                                                   \
                             std::span<const S>,                                                   \
                             std::span<const S>,                                                   \
                             std::span<S>);

#define FLOPSMITH_INSTANTIATE_FFN(Spec)                                                            \
    FLOPSMITH_FOR_REFERENCE_SCALARS(FLOPSMITH_FFN_INSTANCE, Spec)

/// The backward pass of an operation from x [T, d] to y [T, d]: FFN, mixer or norm.
#define FLOPSMITH_INSTANTIATE_BACKWARD(Spec)                                                       \
    FLOPSMITH_FOR_REFERENCE_SCALARS(FLOPSMITH_FFN_BACKWARD_INSTANCE, Spec)

#define FLOPSMITH_INSTANTIATE_FFN_BACKWARD(Spec)                                                   \
    FLOPSMITH_FOR_REFERENCE_SCALARS(FLOPSMITH_FFN_BACKWARD_INSTANCE, Spec)

#define FLOPSMITH_INSTANTIATE_MIXER(Spec)                                                          \
    FLOPSMITH_FOR_REFERENCE_SCALARS(FLOPSMITH_MIXER_INSTANCE, Spec)
