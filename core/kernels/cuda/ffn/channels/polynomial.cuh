// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/polynomial.h"
#include "core/kernels/cuda/device/launch.cuh"

#include <cstdint>

// Polynomials of one value and their derivatives, as core/kernels/reference/ffn/polynomial.cpp spells
// them out.
namespace flopsmith::cuda {

/// The coefficients α_m of one channel.
struct Coefficients
{
    const float* first = nullptr;
    std::int64_t stride = 1;

    __device__ float operator[](int m) const { return first[m * stride]; }
};

/// A polynomial on the device: its basis and all its coefficients.
struct PolynomialValues
{
    PolynomialBasis basis = PolynomialBasis::monomial;
    PolynomialTerms terms = PolynomialTerms::all;
    int count = 1; ///< terms
    const float* alpha = nullptr; ///< [count], or [count, d] so that loads coalesce
    std::int64_t termStride = 1;
    std::int64_t channelStride = 0;

    __device__ Coefficients ofChannel(std::int64_t channel) const
    {
        return {alpha + channel * channelStride, termStride};
    }
    __device__ bool isConstant() const { return terms == PolynomialTerms::even && count == 1; }
};

/// a_0 + a_1·v + … by Horner's rule.
__device__ inline float horner(const Coefficients& a, int count, float v)
{
    float sum = a[count - 1];
    for (int m = count - 2; m >= 0; --m) {
        sum = fmaf(sum, v, a[m]);
    }
    return sum;
}

/// b_last and b_{last+1} of Clenshaw's recurrence b_m = a_m + 2v·b_{m+1} − b_{m+2}.
struct ClenshawSums
{
    float here;
    float above;
};

template <class CoefficientAt>
__device__ ClenshawSums clenshaw(const CoefficientAt& a, int count, int last, float twiceV)
{
    ClenshawSums b{a(count - 1), 0.0F};
    for (int m = count - 2; m >= last; --m) {
        const float next = fmaf(twiceV, b.here, a(m)) - b.above;
        b.above = b.here;
        b.here = next;
    }
    return b;
}

__device__ inline float monomialValue(PolynomialTerms terms, const Coefficients& a, int n, float x)
{
    switch (terms) {
    case PolynomialTerms::all: return horner(a, n, x);
    case PolynomialTerms::odd: return horner(a, n, x * x) * x;
    case PolynomialTerms::even: return horner(a, n, x * x);
    }
    return 0.0F;
}

/// Σ a_m·T_m(v)
__device__ inline float chebyshevSum(const Coefficients& a, int n, float v)
{
    const auto at = [&](int m) { return a[m]; };
    if (n == 1) {
        return a[0];
    }
    const ClenshawSums b = clenshaw(at, n, 1, v + v);
    return fmaf(v, b.here, a[0]) - b.above;
}

/// Σ a_m·T_{2m+1}(u) = u·(b_0 − b_1), the recurrence running in T_2(u) = 2u² − 1.
__device__ inline float chebyshevValue(PolynomialTerms terms, const Coefficients& a, int n, float u)
{
    const auto at = [&](int m) { return a[m]; };
    const float v = fmaf(2.0F * u, u, -1.0F);
    switch (terms) {
    case PolynomialTerms::all: return chebyshevSum(a, n, u);
    case PolynomialTerms::even: return chebyshevSum(a, n, v); // T_{2m}(u) = T_m(2u² − 1)
    case PolynomialTerms::odd: {
        const ClenshawSums b = clenshaw(at, n, 0, v + v);
        return (b.here - b.above) * u;
    }
    }
    return 0.0F;
}

__device__ inline float polynomialValue(const PolynomialValues& p, std::int64_t channel, float x)
{
    const Coefficients a = p.ofChannel(channel);
    if (p.basis == PolynomialBasis::monomial) {
        return monomialValue(p.terms, a, p.count, x);
    }
    return p.isConstant() ? a[0] : chebyshevValue(p.terms, a, p.count, tanhf(x));
}

/// The gradient of x from g = dy; calls share(m, g·term) for each term m. At most kMax terms: the
/// constant bound lets the loops unroll, so that the caller's sums stay in registers.
template <int kMax, class Share>
__device__ float monomialBackward(const PolynomialValues& p,
                                  const Coefficients& a,
                                  float x,
                                  float g,
                                  const Share& share)
{
    const bool odd = p.terms == PolynomialTerms::odd;
    const bool even = p.terms == PolynomialTerms::even;
    const float ratio = p.terms == PolynomialTerms::all ? x : x * x;
    float term = odd ? g * x : g;
    share(0, term);
    for (int m = 1; m < kMax && m < p.count; ++m) {
        term *= ratio;
        share(m, term);
    }
    // The derivative's coefficients: of even powers without a factor x.
    float slope = 0.0F;
    for (int m = p.count - 1; m >= (odd ? 0 : 1); --m) {
        const int power = odd ? 2 * m + 1 : (even ? 2 * m : m);
        slope = fmaf(slope, ratio, static_cast<float>(power) * a[m]);
    }
    return even ? g * x * slope : g * slope;
}

/// T_m' = m·U_{m−1}, and Σ c_i·U_i is the b_0 of Clenshaw's recurrence; for even terms in
/// v = 2u² − 1, where 2·(1 − u²) = 1 − v; for odd ones Σ c_m·U_{2m} = b_0 + b_1.
template <int kMax, class Share>
__device__ float chebyshevBackward(const PolynomialValues& p,
                                   const Coefficients& a,
                                   float u,
                                   float g,
                                   const Share& share)
{
    const bool odd = p.terms == PolynomialTerms::odd;
    const bool even = p.terms == PolynomialTerms::even;
    const float v = p.terms == PolynomialTerms::all ? u : fmaf(2.0F * u, u, -1.0F);
    const float twice = v + v;
    float before = odd ? g * u : g; // T_{−1} = T_1 for odd terms
    share(0, before);
    float term = odd ? twice * before - before : g * v;
    const float first = before;
    const float second = term;
    for (int m = 1; m < kMax && m < p.count; ++m) {
        share(m, term);
        const float next = fmaf(twice, term, -before);
        before = term;
        term = next;
    }
    if (odd) {
        const auto slope = [&](int m) { return static_cast<float>(2 * m + 1) * a[m]; };
        const ClenshawSums b = clenshaw(slope, p.count, 0, twice);
        return (g - first * u) * (b.here + b.above);
    }
    const auto slope = [&](int m) {
        return static_cast<float>(even ? 2 * (m + 1) : m + 1) * a[m + 1];
    };
    const float b = clenshaw(slope, p.count - 1, 0, twice).here;
    return even ? (g - second) * u * b : (g - second * u) * b;
}

template <int kMax, class Share>
__device__ float polynomialBackward(const PolynomialValues& p,
                                    std::int64_t channel,
                                    float x,
                                    float g,
                                    const Share& share)
{
    if (p.isConstant()) {
        share(0, g);
        return 0.0F;
    }
    const Coefficients a = p.ofChannel(channel);
    return p.basis == PolynomialBasis::monomial ? monomialBackward<kMax>(p, a, x, g, share)
                                                : chebyshevBackward<kMax>(p, a, tanhf(x), g, share);
}

} // namespace flopsmith::cuda
