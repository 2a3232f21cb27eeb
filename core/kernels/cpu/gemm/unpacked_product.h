// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/product.h"
#include "core/kernels/cpu/simd/ahead.h"

namespace flopsmith::cpu {

/// c (+)= a·b on the calling thread, with a [rows, inner] and b [inner, columns] read as they lie:
/// for small matrices that stay in the first-level cache, of which packing would take a good part of
/// the time. With `ahead` it asks for some of that on the way.
void multiplyUnpacked(const ProductSize& size,
                      const MatrixAt<const float>& a,
                      const MatrixAt<const float>& b,
                      const MatrixAt<float>& c,
                      Into into = Into::overwrite,
                      ReadAhead* ahead = nullptr);

} // namespace flopsmith::cpu
