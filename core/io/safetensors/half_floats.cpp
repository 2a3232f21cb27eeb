// SPDX-License-Identifier: MIT
#include "core/io/safetensors/half_floats.h"

#include <bit>
#include <cmath>
#include <limits>

namespace flopsmith {
namespace {

// The neighbouring float of `value` in the direction of zero, with its last bit set if anything was
// cut off: rounding it again gives the same as rounding `value` directly.
float roundedToOdd(double value)
{
    const auto nearest = static_cast<float>(value);
    if (static_cast<double>(nearest) == value) {
        return nearest;
    }
    auto bits = std::bit_cast<std::uint32_t>(nearest);
    if (std::abs(static_cast<double>(nearest)) > std::abs(value)) {
        --bits; // the next one towards zero, whatever the sign
    }
    return std::bit_cast<float>(bits | 1U);
}

} // namespace

Bfloat16 roundedToBfloat16(float value)
{
    constexpr std::uint32_t kHalf = 0x7fffU; // of the last bit that stays, less one
    constexpr std::uint32_t kQuiet = 0x40U;
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t upper = bits >> 16U;
    if (std::isnan(value)) {
        return {static_cast<std::uint16_t>(upper | kQuiet)};
    }
    return {static_cast<std::uint16_t>((bits + kHalf + (upper & 1U)) >> 16U)};
}

Bfloat16 roundedToBfloat16(double value)
{
    return roundedToBfloat16(std::isfinite(value) ? roundedToOdd(value)
                                                  : static_cast<float>(value));
}

float floatOf(Bfloat16 value)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16U);
}

float floatOf(Float16 value)
{
    constexpr int kMantissaBits = 10;
    constexpr int kLargestExponent = 31; // infinity and NaN
    constexpr int kBias = 25; // of an exponent above a mantissa without a point
    const int exponent = (value.bits >> kMantissaBits) & kLargestExponent;
    const int mantissa = value.bits & 0x3ff;
    float size = std::ldexp(static_cast<float>(mantissa + 1024), exponent - kBias);
    if (exponent == 0) {
        size = std::ldexp(static_cast<float>(mantissa), 1 - kBias);
    } else if (exponent == kLargestExponent) {
        size = mantissa == 0 ? std::numeric_limits<float>::infinity()
                             : std::numeric_limits<float>::quiet_NaN();
    }
    return (value.bits & 0x8000U) != 0 ? -size : size;
}

} // namespace flopsmith
