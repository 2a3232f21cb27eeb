// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/lanes.h"

// exp, tanh and erf on registers, within 3 units in the last place of the true value (tested).
// The polynomials are Chebyshev fits over the named intervals.
namespace flopsmith::cpu {

/// e^x; 0 below −87.3, constant above 88.3 (where it stays finite).
inline Lanes exp(Lanes x)
{
    constexpr float kLog2E = 1.44269504F;
    constexpr float kLn2High = 0.693359375F; // few bits, so that n·kLn2High is exact
    constexpr float kLn2Low = -2.12194440e-4F;
    constexpr float kRounder = 12582912.0F; // 1.5·2^23: adding it rounds to a whole number
    constexpr float kLowest = -87.3F;
    const Lanes clamped = x < kLowest ? all(kLowest) : (x > 88.3F ? all(88.3F) : x);
    const Lanes n = (clamped * kLog2E + kRounder) - kRounder;
    const Lanes r = (clamped - n * kLn2High) - n * kLn2Low;
    // (e^r − 1 − r)/r² on ±ln(2)/2
    Lanes q = all(0.001392692661F);
    q = q * r + 0.008363773874F;
    q = q * r + 0.04166655011F;
    q = q * r + 0.1666657338F;
    q = q * r + 0.5F;
    const Lanes power = q * (r * r) + r + 1.0F;
    const IntLanes exponent = __builtin_convertvector(n, IntLanes) << 23;
    const Lanes scaled = fromBits(bitsOf(power) + exponent);
    return x < kLowest ? Lanes{} : scaled;
}

inline Lanes withSignOf(Lanes size, Lanes sign)
{
    return fromBits(bitsOf(size) | (bitsOf(sign) & static_cast<std::int32_t>(0x80000000U)));
}

inline Lanes tanh(Lanes x)
{
    const Lanes size = magnitude(x);
    const Lanes far = withSignOf(1.0F - 2.0F / (exp(size + size) + 1.0F), x);
    // (tanh(x)/x − 1)/x² up to 0.63
    const Lanes z = x * x;
    Lanes p = all(-0.006045165097F);
    p = p * z + 0.02096132911F;
    p = p * z - 0.05384326318F;
    p = p * z + 0.1333271885F;
    p = p * z - 0.3333332843F;
    const Lanes near = x + x * (z * p);
    return size > 0.625F ? far : near;
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
