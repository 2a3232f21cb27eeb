// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/product.h"

namespace flopsmith::cpu {

/// c = a·b by Eigen, on the calling thread.
void eigenProduct(const ProductSize& size,
                  const MatrixAt<const float>& a,
                  const MatrixAt<const float>& b,
                  const MatrixAt<float>& c);

} // namespace flopsmith::cpu
