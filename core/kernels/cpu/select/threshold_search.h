// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/simd/lanes.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

// The magnitude that the k largest of some values reach, by counting. Magnitudes are the bits of
// floats without their sign, which order like these. Only the sources of this folder include it,
// see lanes.h.
namespace flopsmith::cpu {

/// Above the bits of every magnitude but a NaN's.
inline constexpr std::int32_t kAboveAll = 0x7FFFFFFF;

inline IntLanes magnitudeBits(IntLanes bits)
{
    return bits & 0x7FFFFFFF;
}

inline Lanes lanesAt(const float* from)
{
    return load(from);
}

inline Lanes lanesAt(const std::int32_t* from)
{
    return fromBits(loadBits(from));
}

inline Lanes someAt(const float* from, std::size_t count)
{
    return loadSome(from, count);
}

inline Lanes someAt(const std::int32_t* from, std::size_t count)
{
    IntLanes bits{};
    std::memcpy(&bits, from, count * sizeof *from);
    return fromBits(bits);
}

/// fold(bits, index, count) for the bits of every register; of floats or of their bits.
template <class Value, class Fold>
void forEachMagnitude(const Value* values, std::size_t n, const Fold& fold)
{
    along(
        n,
        [&](std::size_t i) { fold(magnitudeBits(bitsOf(lanesAt(values + i))), i, kLanes); },
        [&](std::size_t i, std::size_t rest) {
            fold(magnitudeBits(bitsOf(someAt(values + i, rest))), i, rest);
        });
}

template <class Value>
std::int32_t maxBits(const Value* values, std::size_t n)
{
    IntLanes max{};
    forEachMagnitude(
        values, n, [&](IntLanes bits, std::size_t, std::size_t) { max = larger(max, bits); });
    return foldOf(max, [](IntLanes a, IntLanes b) { return larger(a, b); });
}

/// How many magnitudes have bits ≥ minBits > 0; the zeros that pad the last register never do.
template <class Value>
int countFrom(const Value* values, std::size_t n, std::int32_t minBits)
{
    IntLanes negative{};
    forEachMagnitude(values, n, [&](IntLanes bits, std::size_t, std::size_t) {
        negative += bits >= minBits; // true is −1
    });
    return -sumOf(negative);
}

/// Bits that between `minReach` and `maxReach` of n values reach. If there are none, because many
/// values are equal, more values reach `low` and fewer reach `high`.
struct Reach
{
    std::int32_t low;
    std::int32_t high;
    int reachHigh;
    bool found; ///< then low = high
};

/// The linear interpolation between both ends, or after some steps the middle, which bounds the
/// number of steps for all values.
inline std::int32_t guessBetween(std::int32_t low, std::int32_t high, float share, int step)
{
    constexpr int kMaxGuesses = 16;
    const auto lowValue = std::bit_cast<float>(low);
    const auto highValue = std::bit_cast<float>(high);
    const auto guess = std::bit_cast<std::int32_t>(lowValue + (highValue - lowValue) * share);
    const bool isInside = guess > low && guess < high;
    return isInside && step < kMaxGuesses ? guess : low + (high - low) / 2;
}

/// All n values have bits in [low, high). The search is the Illinois method, a regula falsi that
/// halves the weight of an end that stays twice.
template <class Value>
Reach reachedBy(const Value* values,
                std::size_t n,
                int minReach,
                int maxReach,
                std::int32_t low,
                std::int32_t high)
{
    const float wanted = 0.5F * static_cast<float>(minReach + maxReach);
    float tooMany = static_cast<float>(n) - wanted;
    float tooFew = wanted;
    int reachHigh = 0;
    int lastSide = 0;
    for (int step = 0; high - low > 1; ++step) {
        const std::int32_t middle = guessBetween(low, high, tooMany / (tooMany + tooFew), step);
        const int reach = countFrom(values, n, middle);
        if (reach > maxReach) {
            low = middle;
            tooMany = static_cast<float>(reach) - wanted;
            tooFew *= lastSide > 0 ? 0.5F : 1.0F;
            lastSide = 1;
        } else if (reach < minReach) {
            high = middle;
            reachHigh = reach;
            tooFew = wanted - static_cast<float>(reach);
            tooMany *= lastSide < 0 ? 0.5F : 1.0F;
            lastSide = -1;
        } else {
            return {middle, middle, reach, true};
        }
    }
    return {low, high, reachHigh, false};
}

/// Everything with bits ≥ `minBits` is chosen; of those with bits = minBits − 1, the first `ties`.
struct Threshold
{
    std::int32_t minBits;
    int ties;
};

/// How many magnitudes have bits ≥ minBits, and the nearest on either side of it.
struct Around
{
    int reach;
    std::int32_t above; ///< the smallest of these
    std::int32_t below; ///< the largest of the values below, or 0
};

template <class Value>
Around countAround(const Value* values, std::size_t n, std::int32_t minBits)
{
    IntLanes negative{};
    IntLanes above = all(kAboveAll);
    IntLanes below{};
    forEachMagnitude(values, n, [&, minBits](IntLanes bits, std::size_t, std::size_t) {
        const IntLanes reaches = bits >= minBits;
        negative += reaches;
        above = smaller(above, reaches ? bits : all(kAboveAll));
        below = larger(below, reaches ? IntLanes{} : bits);
    });
    return {-sumOf(negative),
            foldOf(above, [](IntLanes a, IntLanes b) { return smaller(a, b); }),
            foldOf(below, [](IntLanes a, IntLanes b) { return larger(a, b); })};
}

/// Bits between which the k-th largest lies, with the number of values that reach them.
struct Between
{
    std::int32_t low;
    std::int32_t high;
    int reachLow; ///< at least k
    int reachHigh; ///< fewer than k
};

/// Near the end the neighbours of a guess finish the search; interpolation would still have to hit
/// the gap between two values.
template <class Value>
Threshold thresholdOf(const Value* values, std::size_t n, int k, Between between)
{
    auto [low, high, reachLow, reachHigh] = between;
    if (reachLow == k) {
        return {low, 0};
    }
    auto tooMany = static_cast<float>(reachLow - k);
    auto tooFew = static_cast<float>(k - reachHigh);
    int lastSide = 0;
    for (int step = 0; high - low > 1; ++step) {
        const std::int32_t middle = guessBetween(low, high, tooMany / (tooMany + tooFew), step);
        const Around around = countAround(values, n, middle);
        if (around.reach == k) {
            return {middle, 0};
        }
        if (around.reach == k + 1) {
            const std::int32_t minBits = around.above + 1;
            return {minBits, k - countFrom(values, n, minBits)};
        }
        if (around.reach == k - 1) {
            const bool alone = around.below > 0 && countFrom(values, n, around.below) == k;
            return alone ? Threshold{around.below, 0} : Threshold{around.below + 1, 1};
        }
        if (around.reach > k) {
            low = around.above;
            tooMany = static_cast<float>(around.reach - k);
            tooFew *= lastSide > 0 ? 0.5F : 1.0F;
            lastSide = 1;
        } else {
            high = around.below + 1;
            reachHigh = around.reach;
            tooFew = static_cast<float>(k - around.reach);
            tooMany *= lastSide < 0 ? 0.5F : 1.0F;
            lastSide = -1;
        }
    }
    return {high, k - reachHigh};
}

} // namespace flopsmith::cpu
