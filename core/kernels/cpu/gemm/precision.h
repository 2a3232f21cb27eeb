// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

namespace flopsmith::cpu {

/// Precision of the operands of products of weights and activations. Sums, and everything else
/// (filters, scores, softmax, norms, routers), are always in float32.
enum class Precision { float32, bfloat16 };

/// Relative error of rounding an operand, which the precision adds to the bound of compare().
constexpr double operandRounding(Precision precision)
{
    return precision == Precision::bfloat16 ? 1.0 / 512.0 : 0.0;
}

/// Whether this build and this processor compute products in the precision; the Error says what is
/// missing. bfloat16 needs oneDNN, and AVX-512 BF16 or AMX. Without AMX oneDNN compiles the product
/// of a size in its first run, and allocates a little in every run. Tests emulate missing support
/// (bf16/bf16_emulation.h).
Status computesProductsIn(Precision precision);

} // namespace flopsmith::cpu
