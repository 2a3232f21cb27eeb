// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/product.h"

namespace flopsmith::cpu {

/// c (+)= a·b on the calling thread, both packed block by block; a [rows, inner] or [inner, rows],
/// b [inner, columns] or [columns, inner]. Measured against the libraries (README.md of this
/// folder): faster up to libraryThreshold() rows or inner terms, slower beyond. A large c that is
/// only written is written by streaming stores.
void multiplyBlocked(const ProductSize& size,
                     const MatrixAt<const float>& a,
                     Stored aStored,
                     const MatrixAt<const float>& b,
                     Stored bStored,
                     const MatrixAt<float>& c,
                     Into into);

/// Packs b into contiguous panels (product_tile.h), each [inner, kPanel], the last padded with
/// zeros. b [inner, columns] or [columns, inner], at most kInnerAtOnce inner.
void packPanels(const MatrixAt<const float>& b,
                Stored stored,
                std::int64_t inner,
                std::int64_t columns,
                float* panels);

} // namespace flopsmith::cpu
