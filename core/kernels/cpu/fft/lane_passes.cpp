// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/fft/lane_passes.h"

#include "core/base/check.h"
#include "core/kernels/cpu/fft/lane_butterflies.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace flopsmith::cpu {
namespace {

// Destinations of the two parts of a number, in either order.
struct Parts
{
    float* re;
    float* im;
};

enum class Factors { ones, given };

template <StoreKind storeKind>
[[gnu::always_inline]] inline void write(float* to, Lanes values)
{
    if constexpr (storeKind == StoreKind::streaming) {
        storeStreaming(to, values);
    } else {
        store(to, values);
    }
}

// One butterfly: `from` and `to` begin at its first number.
template <int Radix, Factors factors, StoreKind storeKind>
[[gnu::always_inline]] inline void butterfly(const float* from,
                                             std::size_t fromStep,
                                             const Parts& to,
                                             std::size_t toStep,
                                             const float* w)
{
    std::array<Complex, Radix> a; // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
    for (std::size_t u = 0; u < Radix; ++u) {
        a[u] = loadPair(from + u * fromStep);
    }
    dft(a);
    write<storeKind>(to.re, a[0].re);
    write<storeKind>(to.im, a[0].im);
    for (std::size_t t = 1; t < Radix; ++t) {
        const Complex value =
            factors == Factors::ones ? a[t] : times(a[t], w[2 * t - 2], w[2 * t - 1]);
        write<storeKind>(to.re + t * toStep, value.re);
        write<storeKind>(to.im + t * toStep, value.im);
    }
}

// One pass over all numbers: to[q + s·(R·p + t)] = w_p^t · Σ_u from[q + s·(p + u·m)]·e^(−2πiut/R)
// with m = length/R, p < m, q < s and w_p = e^(−2πip/length). Stockham's: no bit reversal.
// The factors of p = 0 are 1.
template <int Radix, StoreKind storeKind>
void pass(const float* from, const Parts& to, std::size_t m, std::size_t s, const float* twiddles)
{
    const std::size_t fromStep = s * m * kPair;
    const std::size_t toStep = s * kPair;
    for (std::size_t q = 0; q < s; ++q) {
        butterfly<Radix, Factors::ones, storeKind>(
            from + q * kPair, fromStep, {to.re + q * kPair, to.im + q * kPair}, toStep, twiddles);
    }
    for (std::size_t p = 1; p < m; ++p) {
        const float* w = twiddles + p * 2 * (Radix - 1);
        const float* first = from + s * p * kPair;
        const std::size_t out = s * Radix * p * kPair;
        for (std::size_t q = 0; q < s; ++q) {
            butterfly<Radix, Factors::given, storeKind>(
                first + q * kPair,
                fromStep,
                {to.re + out + q * kPair, to.im + out + q * kPair},
                toStep,
                w);
        }
    }
}

// The radices whose product is `length`; empty if there are none.
std::vector<int> radicesOf(std::size_t length)
{
    std::vector<int> radices;
    for (const int radix : {8, 6, 5, 4, 3, 2}) {
        while (length % static_cast<std::size_t>(radix) == 0 && length > 1) {
            radices.push_back(radix);
            length /= static_cast<std::size_t>(radix);
        }
    }
    return length == 1 ? radices : std::vector<int>();
}

} // namespace

void setRoot(float* to, std::size_t numerator, std::size_t denominator)
{
    const double angle = -2.0 * std::numbers::pi * static_cast<double>(numerator % denominator)
        / static_cast<double>(denominator);
    to[0] = static_cast<float>(std::cos(angle));
    to[1] = static_cast<float>(std::sin(angle));
}

bool LanePasses::supports(std::size_t length)
{
    return length >= 2 && !radicesOf(length).empty();
}

LanePasses::LanePasses(std::size_t length)
{
    FLOPSMITH_CHECK(supports(length));
    std::size_t left = length;
    std::size_t twiddles = 0;
    for (const int radix : radicesOf(length)) {
        m_passes.push_back({radix, left, length / left, twiddles});
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
}

template <StoreKind storeKind>
// NOLINTNEXTLINE(readability-non-const-parameter): `to` is written
void LanePasses::runPass(const Pass& each, const float* from, float* to, PairOrder order) const
{
    const std::size_t m = each.length / static_cast<std::size_t>(each.radix);
    const std::size_t s = each.stride;
    const float* w = m_twiddles.data() + each.twiddles;
    const Parts parts =
        order == PairOrder::inOrder ? Parts{to, to + kLanes} : Parts{to + kLanes, to};
    switch (each.radix) {
    case 8: return pass<8, storeKind>(from, parts, m, s, w);
    case 6: return pass<6, storeKind>(from, parts, m, s, w);
    case 5: return pass<5, storeKind>(from, parts, m, s, w);
    case 4: return pass<4, storeKind>(from, parts, m, s, w);
    case 3: return pass<3, storeKind>(from, parts, m, s, w);
    default: return pass<2, storeKind>(from, parts, m, s, w);
    }
}

const float* LanePasses::run(const float* from, float* ping, float* pong) const
{
    for (const Pass& each : m_passes) {
        runPass<StoreKind::cached>(each, from, ping, PairOrder::inOrder);
        from = ping;
        std::swap(ping, pong);
    }
    return from;
}

void LanePasses::runSwapped(const float* from,
                            float* ping,
                            float* pong,
                            float* to,
                            StoreKind storeKind) const
{
    for (std::size_t i = 0; i + 1 < m_passes.size(); ++i) {
        runPass<StoreKind::cached>(m_passes[i], from, ping, PairOrder::inOrder);
        from = ping;
        std::swap(ping, pong);
    }
    if (storeKind == StoreKind::streaming) {
        runPass<StoreKind::streaming>(m_passes.back(), from, to, PairOrder::exchanged);
    } else {
        runPass<StoreKind::cached>(m_passes.back(), from, to, PairOrder::exchanged);
    }
}

} // namespace flopsmith::cpu
