// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/ffn.h"
#include "core/mixer/mixer.h"

// The variants that have kernels for NVIDIA GPUs. A line here needs a source that defines them. A
// variant of the registry that is missing here is counted but not executed.
#define FLOPSMITH_CUDA_FFNS(X)                                                                     \
    X(NoFfn)                                                                                       \
    X(DenseFfn)                                                                                    \
    X(GatedFfn)                                                                                    \
    X(LowRankFfn)                                                                                  \
    X(MoeFfn)                                                                                      \
    X(SpectralFfn)                                                                                 \
    X(PolynomialFfn)                                                                               \
    X(RandomProjectionFfn)                                                                         \
    X(TokenFeedbackFfn)                                                                            \
    X(MicroRefineFfn)                                                                              \
    X(KroneckerFfn)                                                                                \
    X(ComposedFfn)

#define FLOPSMITH_CUDA_MIXERS(X)                                                                   \
    X(NoMixer)                                                                                     \
    X(Attention)                                                                                   \
    X(LatentAttention)                                                                             \
    X(CrossAttention)                                                                              \
    X(FourierMixer)

namespace flopsmith::cuda {

/// Whether a variant has kernels, forward and backward.
template <class Spec>
inline constexpr bool hasKernel = false;

#define FLOPSMITH_HAS_KERNEL(Spec)                                                                 \
    template <>                                                                                    \
    inline constexpr bool hasKernel<Spec> = true;
FLOPSMITH_CUDA_FFNS(FLOPSMITH_HAS_KERNEL)
FLOPSMITH_CUDA_MIXERS(FLOPSMITH_HAS_KERNEL)
#undef FLOPSMITH_HAS_KERNEL

} // namespace flopsmith::cuda
