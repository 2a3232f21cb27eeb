// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/plan/team.cuh"

#include <cstdint>

// Top-k of a row without sorting, with the reference's tie-break: of equal values the lower index
// wins, and NaN counts as the largest.
namespace flopsmith::cuda {

constexpr int kWordBits = 32;

inline std::int64_t wordsOf(std::int64_t columns)
{
    return (columns + kWordBits - 1) / kWordBits;
}

/// A bit mask of the values kept in each row: bit j % 32 of word j / 32. With stride 0 all rows
/// share one mask.
struct KeptBits
{
    const unsigned* words = nullptr;
    std::int64_t rowStride = 0;

    __device__ bool has(std::int64_t row, std::int64_t place) const
    {
        return (words[row * rowStride + place / kWordBits] >> (place % kWordBits) & 1U) != 0;
    }
};

/// Monotone in |value|: the float's bits without the sign.
__device__ inline unsigned magnitudeKey(float value)
{
    constexpr unsigned kInfinity = 0x7f800000U;
    constexpr unsigned kLargest = 0x7fffffffU;
    const unsigned bits = __float_as_uint(value) & kLargest;
    return bits > kInfinity ? kLargest : bits;
}

/// Keeps keys larger than `key`, and equal ones up to index `last`.
struct Threshold
{
    unsigned key = 0;
    int last = 0x7fffffff;

    __device__ bool keeps(unsigned other, int place) const
    {
        return other > key || (other == key && place <= last);
    }
};

template <class Team, class Matches>
__device__ int countOf(Team& team, int places, const Matches& matches)
{
    int count = 0;
    for (int place = team.thread(); place < places; place += team.size()) {
        count += matches(place) ? 1 : 0;
    }
    return team.sum(count);
}

/// The threshold that keeps `count` of the keys keyAt(0…places−1); every thread gets it. A
/// radix search from the highest bit: it counts keys once per bit until the last kept and the first
/// dropped key differ, usually fewer than 20 times, reading shared memory or the cache. A thread
/// reads only its own places, thread() + i·size().
template <class Team, class KeyAt>
__device__ Threshold thresholdOfLargest(Team& team, int places, int count, const KeyAt& keyAt)
{
    constexpr int kHighestBit = 31;
    unsigned key = 0;
    int reached = places; // keys >= `key`
    for (int bit = kHighestBit; bit >= 0 && reached != count; --bit) {
        const unsigned candidate = key | 1U << bit;
        const int larger =
            countOf(team, places, [&](int place) { return keyAt(place) >= candidate; });
        if (larger >= count) {
            key = candidate;
            reached = larger;
        }
    }
    Threshold threshold{key};
    if (reached == count) {
        return threshold;
    }
    const int above = countOf(team, places, [&](int place) { return keyAt(place) > key; });
    int last = 0;
    for (int bit = kHighestBit - __clz(places); bit >= 0; --bit) {
        const int candidate = last | 1 << bit;
        const int before = countOf(
            team, places, [&](int place) { return place < candidate && keyAt(place) == key; });
        last = before < count - above ? candidate : last;
    }
    threshold.last = last;
    return threshold;
}

/// Writes the bit mask of a row: bit j is keeps(j). The whole block takes part; it consists of
/// whole warps. A thread calls keeps() only for its own places.
template <class Keeps>
__device__ void writeBits(unsigned* words, int places, const Keeps& keeps)
{
    for (int first = 0; first < places; first += static_cast<int>(blockDim.x)) {
        const int place = first + static_cast<int>(threadIdx.x);
        const unsigned word = __ballot_sync(kAllLanes, place < places && keeps(place) ? 1 : 0);
        if (threadIdx.x % kWarp == 0 && place < places) {
            words[place / kWordBits] = word;
        }
    }
}

} // namespace flopsmith::cuda
