// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/select/team.cuh"

#include <cstdint>

// Choosing the largest of a row without sorting it, exactly as the reference does: of equal values
// the lower place goes first, and what is not a number counts as the largest.
namespace flopsmith::cuda {

constexpr int kWordBits = 32;

inline std::int64_t wordsOf(std::int64_t columns)
{
    return (columns + kWordBits - 1) / kWordBits;
}

/// Which values of each row are kept, a bit for each: bit j % 32 of word j / 32. A stride of 0 is
/// one list for all rows.
struct KeptBits
{
    const unsigned* words = nullptr;
    std::int64_t rowStride = 0;

    __device__ bool has(std::int64_t row, std::int64_t place) const
    {
        return (words[row * rowStride + place / kWordBits] >> (place % kWordBits) & 1U) != 0;
    }
};

/// Grows with |value|: its bits without the sign.
__device__ inline unsigned magnitudeKey(float value)
{
    constexpr unsigned kInfinity = 0x7f800000U;
    constexpr unsigned kLargest = 0x7fffffffU;
    const unsigned bits = __float_as_uint(value) & kLargest;
    return bits > kInfinity ? kLargest : bits;
}

/// What is kept: larger keys, and equal ones up to a place.
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

/// The threshold that keeps `count` of the keys keyAt(0…places−1) < 2³¹; the same for every thread.
/// Bit by bit from the highest: about as many counts as tell the last kept from the first dropped,
/// usually fewer than 20, each from shared memory or the cache. A thread reads only the places of
/// its own, thread() + i·size().
template <class Team, class KeyAt>
__device__ Threshold thresholdOfLargest(Team& team, int places, int count, const KeyAt& keyAt)
{
    constexpr int kHighestBit = 30;
    unsigned key = 0;
    int reached = places; // keys that are not below `key`
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
    for (int bit = kHighestBit - __clz(places) + 1; bit >= 0; --bit) {
        const int candidate = last | 1 << bit;
        const int before = countOf(
            team, places, [&](int place) { return place < candidate && keyAt(place) == key; });
        last = before < count - above ? candidate : last;
    }
    threshold.last = last;
    return threshold;
}

/// Bits of a row whose place j is kept if keeps(j), by the whole block; its threads are whole
/// warps. Each thread asks for the places of its own only.
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
