// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/simd/bfloat16.h"
#include "core/kernels/cpu/simd/lanes.h"

#include <bit>
#include <cstdint>

// bfloat16.h for the lanes of a register. Only the sources of this folder include it, see lanes.h.
namespace flopsmith::cpu {

typedef std::uint32_t BitLanes // NOLINT(modernize-use-using): the attribute needs a typedef
    __attribute__((vector_size(kLanes * sizeof(std::uint32_t))));
typedef Bfloat16 Bfloat16Lanes // NOLINT(modernize-use-using)
    __attribute__((vector_size(kLanes * sizeof(Bfloat16))));

inline BitLanes roundedBits(Lanes values)
{
    const auto bits = std::bit_cast<BitLanes>(values);
    const BitLanes nearest = bits + 0x7fff + (bits >> 16 & 1);
    return (bits & 0x7fffffff) > 0x7f800000 ? bits | 0x00400000 : nearest;
}

inline Bfloat16Lanes roundedToBfloat16(Lanes values)
{
    return __builtin_convertvector(roundedBits(values) >> 16, Bfloat16Lanes);
}

inline Lanes nearestBfloat16(Lanes values)
{
    return std::bit_cast<Lanes>(roundedBits(values) & 0xffff0000);
}

inline BitLanes roundedPairs(Lanes first, Lanes second)
{
    return roundedBits(first) >> 16 | (roundedBits(second) & 0xffff0000);
}

} // namespace flopsmith::cpu
