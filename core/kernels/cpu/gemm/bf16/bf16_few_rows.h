// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/bf16/bf16_block.h"
#include "core/kernels/cpu/gemm/product.h"

#include <cstdint>

namespace flopsmith::cpu {

/// Rows up to which a product with rounded panels is bound by reading them.
inline constexpr std::int64_t kFewRoundedRows = 4;

/// c (+)= a·b of few rows with panels of b as LeftBlock::multiply() reads them, `panelSize` elements
/// apart, on the calling thread. a has values that bfloat16 has, one for each of the panels' rows.
/// Several panels are read at a time, each a stream from memory.
void multiplyFewRounded(const ProductSize& size,
                        const MatrixAt<const float>& a,
                        const Bfloat16* b,
                        std::int64_t panelSize,
                        const MatrixAt<float>& c,
                        Into into);

} // namespace flopsmith::cpu
