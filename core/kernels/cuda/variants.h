// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/variants.h"

namespace flopsmith::cuda {

/// Whether a variant has kernels, forward and backward.
template <class Spec>
inline constexpr bool hasKernel = isRegistered<Spec>;

} // namespace flopsmith::cuda
