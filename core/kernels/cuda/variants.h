// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/ffn.h"
#include "core/mixer/mixer.h"

// Every variant of the registries has a source here that defines its kernels, but those named in this
// list, one X(Spec) each: they are counted and not executed.
#define FLOPSMITH_CUDA_WITHOUT_KERNELS(X)

namespace flopsmith::cuda {

/// Whether a variant has kernels, forward and backward.
template <class Spec>
inline constexpr bool hasKernel = true;

#define FLOPSMITH_HAS_NO_KERNEL(Spec)                                                              \
    template <>                                                                                    \
    inline constexpr bool hasKernel<Spec> = false;
FLOPSMITH_CUDA_WITHOUT_KERNELS(FLOPSMITH_HAS_NO_KERNEL)
#undef FLOPSMITH_HAS_NO_KERNEL

} // namespace flopsmith::cuda
