// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/simd/lanes.h"

#include <bit>
#include <cstdint>

// exp, tanh and erf on registers, within 3 units in the last place of the true value (tested).
// The polynomials are Chebyshev fits over the named intervals.
namespace flopsmith::cpu {

namespace detail {

// Argument reduction: x is n·ln 2 + r with whole n and |r| ≤ ln(2)/2; returns r. Only the lowest
// nine bits of n are correct, which scaled() reads.
inline Lanes reduced(Lanes x, IntLanes& n)
{
    constexpr float kLog2E = 1.44269504F;
    constexpr float kLn2High = 0.693359375F; // few bits, so that n·kLn2High is exact
    constexpr float kLn2Low = -2.12194440e-4F;
    constexpr float kRounder = 12582912.0F; // 1.5·2^23: adding it leaves n in the lowest bits
    const Lanes rounded = x * kLog2E + kRounder;
    const Lanes whole = rounded - kRounder;
    n = bitsOf(rounded);
    return (x - whole * kLn2High) - whole * kLn2Low;
}

// (e^r − 1 − r)/r² for |r| ≤ ln(2)/2
inline Lanes expSeries(Lanes r)
{
    Lanes q = all(0.001392692661F);
    q = q * r + 0.008363773874F;
    q = q * r + 0.04166655011F;
    q = q * r + 0.1666657338F;
    return q * r + 0.5F;
}

// e^r − 1 for |r| ≤ ln(2)/2
inline Lanes expMinusOne(Lanes r)
{
    return expSeries(r) * (r * r) + r;
}

// 2^n·x if that is a normal number; anything else overflows, which only unsigned numbers may.
inline Lanes scaled(Lanes x, IntLanes n)
{
    using UnsignedLanes [[gnu::vector_size(sizeof(Lanes))]] = std::uint32_t;
    return std::bit_cast<Lanes>(std::bit_cast<UnsignedLanes>(x)
                                + (std::bit_cast<UnsignedLanes>(n) << 23));
}

} // namespace detail

inline constexpr float kLowestExponent = -87.3F; // below it e^x is not a normal number

/// e^x; 0 below −87.3, constant above 88.3 (where it stays finite).
inline Lanes exp(Lanes x)
{
    const Lanes clamped = x < kLowestExponent ? all(kLowestExponent) : (x > 88.3F ? all(88.3F) : x);
    IntLanes n;
    const Lanes r = detail::reduced(clamped, n);
    const Lanes result = detail::scaled(detail::expMinusOne(r) + 1.0F, n);
    return x < kLowestExponent ? Lanes{} : result;
}

/// The same for x ≤ 88, −∞ included, in two thirds of the instructions: enough for softmax, whose
/// exponents are at most 0.
inline Lanes expOfSmall(Lanes x)
{
    IntLanes n;
    const Lanes r = detail::reduced(x, n);
    const Lanes power = (detail::expSeries(r) * r + 1.0F) * r + 1.0F;
    return x < kLowestExponent ? Lanes{} : detail::scaled(power, n);
}

inline Lanes withSignOf(Lanes size, Lanes sign)
{
    return fromBits(bitsOf(size) | (bitsOf(sign) & static_cast<std::int32_t>(0x80000000U)));
}

/// With e = e^(2|x|) − 1, which keeps its digits where it is small, tanh|x| = e/(e + 2).
inline Lanes tanh(Lanes x)
{
    constexpr float kAllButOne = 9.5F; // beyond it tanh rounds to 1
    const Lanes size = magnitude(x);
    const Lanes clamped = size > kAllButOne ? all(kAllButOne) : size;
    IntLanes n;
    const Lanes r = detail::reduced(clamped + clamped, n);
    const Lanes power = detail::scaled(all(1.0F), n);
    const Lanes e = power * detail::expMinusOne(r) + (power - 1.0F);
    return withSignOf(e / (e + 2.0F), x);
}

inline Lanes erf(Lanes x)
{
    const Lanes size = magnitude(x);
    const Lanes t = size > 4.0F ? all(4.0F) : size; // erf(4) rounds to 1
    // −ln(erfc(t))/t on [0.95, 4]
    Lanes r = all(-1.094136073e-6F);
    r = r * t + 3.526803066e-5F;
    r = r * t - 0.0005055421673F;
    r = r * t + 0.004331470718F;
    r = r * t - 0.02520582722F;
    r = r * t + 0.1079475544F;
    r = r * t + 0.6340800656F;
    r = r * t + 1.128923558F;
    const Lanes far = withSignOf(1.0F - exp(-t * r), x);
    // erf(x)/x on [0, 1]
    const Lanes z = x * x;
    Lanes p = all(7.875875063e-5F);
    p = p * z - 0.0008016864287F;
    p = p * z + 0.005189087423F;
    p = p * z - 0.02685421201F;
    p = p * z + 0.1128359472F;
    p = p * z - 0.3761262667F;
    p = p * z + 1.128379166F;
    return size > 1.0F ? far : x * p;
}

/// 1/(1 + e^−x)
inline Lanes sigmoid(Lanes x)
{
    return 1.0F / (1.0F + exp(-x));
}

} // namespace flopsmith::cpu
