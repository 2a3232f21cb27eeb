// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/product.h"
#include "core/kernels/cpu/simd/bfloat16.h"
#include "core/kernels/cpu/threads/parallel.h"

#include <cstdint>

namespace flopsmith::cpu {

/// Rounds a part of a left operand, at most a block's rows and inner values, into a block in tiles
/// (BlockSize). `to` has whole tiles of rows; rows beyond the last are undefined.
void packRows(const MatrixAt<const float>& a, Stored stored, Range rows, Range inner, Bfloat16* to);

/// Rounds a part of a right operand into panels of BlockSize::kPanel columns, padded with zeros to
/// a multiple of BlockSize::kInnerGrain rows.
void packPanels(const MatrixAt<const float>& b,
                Stored stored,
                Range inner,
                Range columns,
                Bfloat16* to);

} // namespace flopsmith::cpu
