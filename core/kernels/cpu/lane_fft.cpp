// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/lane_fft.h"

#include "core/base/check.h"
#include "core/kernels/cpu/lane_transpose.h"
#include "core/kernels/cpu/lanes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace flopsmith::cpu {
namespace {

constexpr std::size_t kPair = 2 * kLanes; // floats of one complex number of every lane

struct Complex
{
    Lanes re;
    Lanes im;
};

Complex operator+(const Complex& a, const Complex& b)
{
    return {a.re + b.re, a.im + b.im};
}

Complex operator-(const Complex& a, const Complex& b)
{
    return {a.re - b.re, a.im - b.im};
}

Complex operator*(const Complex& a, float factor)
{
    return {a.re * factor, a.im * factor};
}

// −i·a
Complex turned(const Complex& a)
{
    return {a.im, -a.re};
}

// a·w
Complex times(const Complex& a, float re, float im)
{
    return {a.re * re - a.im * im, a.re * im + a.im * re};
}

Complex loadPair(const float* from)
{
    return {load(from), load(from + kLanes)};
}

void storePair(float* to, const Complex& value)
{
    store(to, value.re);
    store(to + kLanes, value.im);
}

// Transforms of the length of a radix, in place, in registers only if they are inlined.
[[gnu::always_inline]] inline void dft(std::array<Complex, 2>& a)
{
    const Complex sum = a[0] + a[1];
    a[1] = a[0] - a[1];
    a[0] = sum;
}

[[gnu::always_inline]] inline void dft(std::array<Complex, 3>& a)
{
    constexpr float kSine = 0.866025403784438647F; // of 60°
    const Complex sum = a[1] + a[2];
    const Complex half = a[0] - sum * 0.5F;
    const Complex side = turned(a[1] - a[2]) * kSine;
    a = {a[0] + sum, half + side, half - side};
}

[[gnu::always_inline]] inline void dft(std::array<Complex, 4>& a)
{
    const Complex even = a[0] + a[2];
    const Complex evenSide = a[0] - a[2];
    const Complex odd = a[1] + a[3];
    const Complex oddSide = turned(a[1] - a[3]);
    a = {even + odd, evenSide + oddSide, even - odd, evenSide - oddSide};
}

[[gnu::always_inline]] inline void dft(std::array<Complex, 5>& a)
{
    constexpr float kCos1 = 0.309016994374947424F; // of 72° and 144°
    constexpr float kCos2 = -0.809016994374947424F;
    constexpr float kSin1 = 0.951056516295153572F;
    constexpr float kSin2 = 0.587785252292473129F;
    const Complex s1 = a[1] + a[4];
    const Complex s2 = a[2] + a[3];
    const Complex d1 = turned(a[1] - a[4]);
    const Complex d2 = turned(a[2] - a[3]);
    const Complex m1 = a[0] + s1 * kCos1 + s2 * kCos2;
    const Complex m2 = a[0] + s1 * kCos2 + s2 * kCos1;
    const Complex side1 = d1 * kSin1 + d2 * kSin2;
    const Complex side2 = d1 * kSin2 - d2 * kSin1;
    a = {a[0] + s1 + s2, m1 + side1, m2 + side2, m2 - side2, m1 - side1};
}

// Good and Thomas: two transforms of three and three of two, without factors between them.
[[gnu::always_inline]] inline void dft(std::array<Complex, 6>& a)
{
    std::array<Complex, 3> even{a[0], a[2], a[4]};
    std::array<Complex, 3> odd{a[3], a[5], a[1]};
    dft(even);
    dft(odd);
    a = {even[0] + odd[0],
         even[1] - odd[1],
         even[2] + odd[2],
         even[0] - odd[0],
         even[1] + odd[1],
         even[2] - odd[2]};
}

[[gnu::always_inline]] inline void dft(std::array<Complex, 8>& a)
{
    constexpr float kRoot = 0.707106781186547524F; // of 1/2
    std::array<Complex, 4> even{a[0], a[2], a[4], a[6]};
    std::array<Complex, 4> odd{a[1], a[3], a[5], a[7]};
    dft(even);
    dft(odd);
    odd[1] = (odd[1] + turned(odd[1])) * kRoot;
    odd[2] = turned(odd[2]);
    odd[3] = (turned(odd[3]) - odd[3]) * kRoot;
    a = {even[0] + odd[0],
         even[1] + odd[1],
         even[2] + odd[2],
         even[3] + odd[3],
         even[0] - odd[0],
         even[1] - odd[1],
         even[2] - odd[2],
         even[3] - odd[3]};
}

// One pass over all numbers: to[q + s·(R·p + t)] = w_p^t · Σ_u from[q + s·(p + u·m)]·e^(−2πiut/R)
// with m = length/R, p < m, q < s and w_p = e^(−2πip/length). Stockham's: no reversal of bits.
template <int Radix>
void pass(const float* from, float* to, std::size_t m, std::size_t s, const float* twiddles)
{
    for (std::size_t p = 0; p < m; ++p) {
        const float* w = twiddles + p * 2 * (Radix - 1);
        for (std::size_t q = 0; q < s; ++q) {
            std::array<Complex, Radix> a;
            for (std::size_t u = 0; u < Radix; ++u) {
                a[u] = loadPair(from + (q + s * (p + u * m)) * kPair);
            }
            dft(a);
            float* out = to + (q + s * Radix * p) * kPair;
            storePair(out, a[0]);
            for (std::size_t t = 1; t < Radix; ++t) {
                storePair(out + t * s * kPair, times(a[t], w[2 * t - 2], w[2 * t - 1]));
            }
        }
    }
}

void runPass(int radix, const float* from, float* to, std::size_t m, std::size_t s, const float* w)
{
    switch (radix) {
    case 8: return pass<8>(from, to, m, s, w);
    case 6: return pass<6>(from, to, m, s, w);
    case 5: return pass<5>(from, to, m, s, w);
    case 4: return pass<4>(from, to, m, s, w);
    case 3: return pass<3>(from, to, m, s, w);
    default: return pass<2>(from, to, m, s, w);
    }
}

// The radices whose product is `half`, or none.
std::vector<int> radicesOf(std::size_t half)
{
    std::vector<int> radices;
    for (const int radix : {8, 6, 5, 4, 3, 2}) {
        while (half % static_cast<std::size_t>(radix) == 0) {
            radices.push_back(radix);
            half /= static_cast<std::size_t>(radix);
        }
    }
    return half == 1 ? radices : std::vector<int>();
}

void setRoot(float* to, std::size_t numerator, std::size_t denominator)
{
    const double angle = -2.0 * std::numbers::pi * static_cast<double>(numerator % denominator)
        / static_cast<double>(denominator);
    to[0] = static_cast<float>(std::cos(angle));
    to[1] = static_cast<float>(std::sin(angle));
}

} // namespace

int LaneFft::rows()
{
    return kLanes;
}

bool LaneFft::supports(int length)
{
    return length >= 4 && length % 2 == 0
        && !radicesOf(static_cast<std::size_t>(length) / 2).empty();
}

std::size_t LaneFft::scratchSize(int length)
{
    return 2 * kLanes * (static_cast<std::size_t>(length) + 2);
}

Count LaneFft::mostBytes(int length)
{
    // A pass over transforms of m numbers has less than 2m floats, and m halves at least; then
    // there are n/2 + 1 splitting factors.
    return Count{sizeof(float)} * (Count{3} * length + 2);
}

LaneFft::LaneFft(int length)
    : m_half(static_cast<std::size_t>(length) / 2)
    , m_splitting(2 * (m_half + 1))
{
    FLOPSMITH_CHECK(supports(length));
    std::size_t left = m_half;
    std::size_t twiddles = 0;
    for (const int radix : radicesOf(m_half)) {
        m_passes.push_back({radix, left, m_half / left, twiddles});
        left /= static_cast<std::size_t>(radix);
        twiddles += left * 2 * static_cast<std::size_t>(radix - 1);
    }
    m_twiddles = Buffer(twiddles);
    for (const Pass& each : m_passes) {
        const auto radix = static_cast<std::size_t>(each.radix);
        float* to = m_twiddles.data() + each.twiddles;
        for (std::size_t p = 0; p < each.length / radix; ++p) {
            for (std::size_t t = 1; t < radix; ++t, to += 2) {
                setRoot(to, p * t, each.length);
            }
        }
    }
    for (std::size_t k = 0; k <= m_half; ++k) {
        setRoot(m_splitting.data() + 2 * k, k, 2 * m_half);
    }
}

// The transform of `from`, in one of the two arrays, both of which are changed.
float* LaneFft::transform(float* from, float* other) const
{
    for (const Pass& each : m_passes) {
        runPass(each.radix,
                from,
                other,
                each.length / static_cast<std::size_t>(each.radix),
                each.stride,
                m_twiddles.data() + each.twiddles);
        std::swap(from, other);
    }
    return from;
}

// With z_m = x_{2m} + i·x_{2m+1} and its transform Z:
// X_k = (Z_k + Z*_{h−k})/2 − i·e^(−2πik/n)·(Z_k − Z*_{h−k})/2, h = n/2, Z_h = Z_0.
void LaneFft::forward(const float* x,
                      float* spectra,
                      std::size_t stride,
                      std::size_t bins,
                      float* scratch) const
{
    float* const other = scratch + (2 * m_half + 2) * kLanes;
    transposeIn(x, 2 * m_half, 2 * m_half, scratch);
    const float* z = transform(scratch, other);
    float* const split = z == scratch ? other : scratch;
    for (std::size_t k = 0; k < bins; ++k) {
        const Complex a = loadPair(z + k % m_half * kPair);
        Complex b = loadPair(z + (m_half - k) % m_half * kPair);
        b.im = -b.im;
        const float* w = m_splitting.data() + 2 * k;
        storePair(split + k * kPair, (a + b + turned(times(a - b, w[0], w[1]))) * 0.5F);
    }
    transposeOut(split, 2 * bins, spectra, stride, PairOrder::straight);
}

// Z_k = X_k + X*_{h−k} + i·e^(2πik/n)·(X_k − X*_{h−k}); the inverse transform is the forward one
// of exchanged real and imaginary parts. The imaginary parts of X_0 and X_h do not matter.
void LaneFft::inverse(const float* spectra,
                      std::size_t stride,
                      std::size_t bins,
                      float* y,
                      float* scratch) const
{
    float* const other = scratch + (2 * m_half + 2) * kLanes;
    transposeIn(spectra, stride, 2 * bins, scratch);
    const auto bin = [&](std::size_t k) {
        Complex value = k < bins ? loadPair(scratch + k * kPair) : Complex{};
        value.im = k == 0 || k == m_half ? Lanes{} : value.im;
        return value;
    };
    for (std::size_t k = 0; k < m_half; ++k) {
        Complex z{};
        if (k < bins || m_half - k < bins) {
            const Complex a = bin(k);
            Complex b = bin(m_half - k);
            b.im = -b.im;
            const float* w = m_splitting.data() + 2 * k;
            z = a + b - turned(times(a - b, w[0], -w[1]));
        }
        storePair(other + k * kPair, {z.im, z.re});
    }
    const float* values = transform(other, scratch);
    transposeOut(values, 2 * m_half, y, 2 * m_half, PairOrder::exchanged);
}

} // namespace flopsmith::cpu
