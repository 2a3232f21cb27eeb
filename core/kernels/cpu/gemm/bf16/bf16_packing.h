// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/product.h"
#include "core/kernels/cpu/simd/bfloat16.h"
#include "core/kernels/cpu/threads/parallel.h"

#include <cstdint>

namespace flopsmith::cpu {

/// Rounds a part of a left operand into a block in tiles (BlockSize). `a` is [·, ·] as it is used, or
/// with rows and columns exchanged; at most a block's rows and inner values. `to` has whole tiles of rows; what is in rows beyond the last is
/// of no meaning.
void packRows(const MatrixAt<const float>& a, Stored stored, Range rows, Range inner, Bfloat16* to);

/// Rounds a part of a right operand into panels of BlockSize::kPanel columns and as many rows as
/// `inner` rounded up to BlockSize::kInnerGrain, filled up with zeros.
void packPanels(const MatrixAt<const float>& b,
                Stored stored,
                Range inner,
                Range columns,
                Bfloat16* to);

} // namespace flopsmith::cpu
