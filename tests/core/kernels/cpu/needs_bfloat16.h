// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/precision.h"

#include <gtest/gtest.h>

#include <cstddef>

/// Skips the test where nothing computes products in bfloat16, and says what is missing.
#define FLOPSMITH_NEEDS_BFLOAT16()                                                                 \
    if (const auto possible =                                                                      \
            ::flopsmith::cpu::computesProductsIn(::flopsmith::cpu::Precision::bfloat16);           \
        !possible) {                                                                               \
        GTEST_SKIP() << possible.error().message;                                                  \
    }                                                                                              \
    static_assert(true)

namespace flopsmith::cpu {

/// operandRounding() for a tensor of `size` values. Rounded operands err by a share of a typical
/// sum, and the largest of a tensor tells what that is; of a few sums over many terms (the gradient
/// of a 1×1 factor) all may have come out small by chance.
inline double roundingOfTensor(Precision precision, std::size_t size)
{
    constexpr std::size_t kFew = 8;
    constexpr double kChance = 4.0;
    return (size < kFew ? kChance : 1.0) * operandRounding(precision);
}

} // namespace flopsmith::cpu
