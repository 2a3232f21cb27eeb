// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/variants.h"

namespace flopsmith::cuda {

/// Whether a variant has kernels, forward and backward.
template <class Spec>
inline constexpr bool hasKernel = isRegistered<Spec>;
FLOPSMITH_HAS_NO_KERNEL(Mamba2)

} // namespace flopsmith::cuda
