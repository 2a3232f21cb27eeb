// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/simd/lanes.h"

#include <array>
#include <cstddef>

// Complex numbers in every lane and their transforms of small lengths, of which longer ones are
// composed. Only the sources of this folder include it, see lanes.h.
namespace flopsmith::cpu {

/// Floats of a register of complex numbers: the real parts, then the imaginary ones.
inline constexpr std::size_t kPair = 2 * kLanes;

struct Complex
{
    Lanes re;
    Lanes im;
};

inline Complex operator+(const Complex& a, const Complex& b)
{
    return {a.re + b.re, a.im + b.im};
}

inline Complex operator-(const Complex& a, const Complex& b)
{
    return {a.re - b.re, a.im - b.im};
}

inline Complex operator*(const Complex& a, float factor)
{
    return {a.re * factor, a.im * factor};
}

inline Complex conjugate(const Complex& a)
{
    return {a.re, -a.im};
}

/// −i·a: rotated by −90°
inline Complex rotated(const Complex& a)
{
    return {a.im, -a.re};
}

/// a·w, where w is the same for all lanes or has a value for each.
template <class Factor>
Complex times(const Complex& a, Factor re, Factor im)
{
    return {a.re * re - a.im * im, a.re * im + a.im * re};
}

inline Complex loadPair(const float* from)
{
    return {load(from), load(from + kLanes)};
}

inline void storePair(float* to, const Complex& value)
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
    const Complex side = rotated(a[1] - a[2]) * kSine;
    a = {a[0] + sum, half + side, half - side};
}

[[gnu::always_inline]] inline void dft(std::array<Complex, 4>& a)
{
    const Complex even = a[0] + a[2];
    const Complex evenSide = a[0] - a[2];
    const Complex odd = a[1] + a[3];
    const Complex oddSide = rotated(a[1] - a[3]);
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
    const Complex d1 = rotated(a[1] - a[4]);
    const Complex d2 = rotated(a[2] - a[3]);
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
    odd[1] = (odd[1] + rotated(odd[1])) * kRoot;
    odd[2] = rotated(odd[2]);
    odd[3] = (rotated(odd[3]) - odd[3]) * kRoot;
    a = {even[0] + odd[0],
         even[1] + odd[1],
         even[2] + odd[2],
         even[3] + odd[3],
         even[0] - odd[0],
         even[1] - odd[1],
         even[2] - odd[2],
         even[3] - odd[3]};
}

// Four transforms of four, factors, four of four.
[[gnu::always_inline]] inline void dft(std::array<Complex, 16>& a)
{
    constexpr float kRoot = 0.707106781186547524F; // of 1/2
    constexpr float kCos = 0.923879532511286756F; // of 22.5°
    constexpr float kSin = 0.382683432365089772F;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled below
    std::array<std::array<Complex, 4>, 4> b;
    for (std::size_t j = 0; j < 4; ++j) {
        b[j] = {a[j], a[j + 4], a[j + 8], a[j + 12]};
        dft(b[j]);
    }
    b[1][1] = times(b[1][1], kCos, -kSin);
    b[1][2] = (b[1][2] + rotated(b[1][2])) * kRoot;
    b[1][3] = times(b[1][3], kSin, -kCos);
    b[2][1] = (b[2][1] + rotated(b[2][1])) * kRoot;
    b[2][2] = rotated(b[2][2]);
    b[2][3] = (rotated(b[2][3]) - b[2][3]) * kRoot;
    b[3][1] = times(b[3][1], kSin, -kCos);
    b[3][2] = (rotated(b[3][2]) - b[3][2]) * kRoot;
    b[3][3] = times(b[3][3], -kCos, kSin);
    for (std::size_t t = 0; t < 4; ++t) {
        std::array<Complex, 4> c{b[0][t], b[1][t], b[2][t], b[3][t]};
        dft(c);
        for (std::size_t u = 0; u < 4; ++u) {
            a[t + 4 * u] = c[u];
        }
    }
}

} // namespace flopsmith::cpu
