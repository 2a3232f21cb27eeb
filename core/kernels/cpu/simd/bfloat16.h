// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>

namespace flopsmith::cpu {

/// The upper half of a float: its sign, its exponent and 7 bits of its mantissa.
using Bfloat16 = std::uint16_t;

/// The float's bits, whose upper half is the nearest bfloat16 (ties to even; NaN stays NaN) and
/// whose lower half is meaningless.
inline std::uint32_t roundedBits(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    constexpr std::uint32_t kInfinity = 0x7f800000;
    constexpr std::uint32_t kQuiet = 0x00400000;
    const std::uint32_t nearest = bits + 0x7fff + (bits >> 16 & 1);
    return (bits & 0x7fffffff) > kInfinity ? bits | kQuiet : nearest;
}

inline Bfloat16 roundedToBfloat16(float value)
{
    return static_cast<Bfloat16>(roundedBits(value) >> 16);
}

inline float valueOf(Bfloat16 rounded)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(rounded) << 16);
}

/// The nearest bfloat16 as a float.
inline float nearestBfloat16(float value)
{
    return std::bit_cast<float>(roundedBits(value) & 0xffff0000);
}

} // namespace flopsmith::cpu
