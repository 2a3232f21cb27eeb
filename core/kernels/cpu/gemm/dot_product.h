// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/product.h"

namespace flopsmith::cpu {

/// c (+)= a·bᵀ on the calling thread, with a [rows, inner] and b [columns, inner] read in place,
/// each element a dot product along the lanes: for so few rows that packing b would take longer.
void multiplyByDots(const ProductSize& size,
                    const MatrixAt<const float>& a,
                    const MatrixAt<const float>& b,
                    const MatrixAt<float>& c,
                    Into into = Into::overwrite);

/// The same with b rounded to bfloat16 as it is read; the caller has rounded a.
void multiplyByRoundedDots(const ProductSize& size,
                           const MatrixAt<const float>& a,
                           const MatrixAt<const float>& b,
                           const MatrixAt<float>& c,
                           Into into = Into::overwrite);

} // namespace flopsmith::cpu
