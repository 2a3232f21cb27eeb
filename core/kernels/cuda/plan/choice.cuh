// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/plan/elements.cuh"

// Choices of the largest values of a row without sorting, with the reference's tie-break: of equal
// values the lower index wins, and not-a-number counts as the largest.
namespace flopsmith::cuda {

/// Monotone in |value|: the float's bits without the sign.
__device__ inline unsigned magnitudeKey(float value)
{
    constexpr unsigned kInfinity = 0x7f800000U;
    constexpr unsigned kLargest = 0x7fffffffU;
    const unsigned bits = __float_as_uint(value) & kLargest;
    return bits > kInfinity ? kLargest : bits;
}

/// How many of the places match, counted by the block: a thread looks at thread + i·threads.
template <class Matches>
__device__ int countOf(int places, const Matches& matches)
{
    int found = 0;
    for (int first = 0; first < places; first += static_cast<int>(blockDim.x)) {
        const int place = first + static_cast<int>(threadIdx.x);
        found += __syncthreads_count(place < places && matches(place) ? 1 : 0);
    }
    return found;
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

/// The threshold that keeps `count` of the keys keyAt(0…places−1); every thread gets it. A radix
/// search from the highest bit: it counts keys once per bit until the last kept and the first dropped
/// key differ, usually fewer than 20 times. A thread reads only its own places.
template <class KeyAt>
__device__ Threshold thresholdOfLargest(int places, int count, const KeyAt& keyAt)
{
    constexpr int kHighestBit = 31;
    unsigned key = 0;
    int reached = places; // keys >= `key`
    for (int bit = kHighestBit; bit >= 0 && reached != count; --bit) {
        const unsigned candidate = key | 1U << bit;
        const int larger = countOf(places, [&](int place) { return keyAt(place) >= candidate; });
        if (larger >= count) {
            key = candidate;
            reached = larger;
        }
    }
    Threshold threshold{key};
    if (reached == count) {
        return threshold;
    }
    const int above = countOf(places, [&](int place) { return keyAt(place) > key; });
    int last = 0;
    for (int bit = kHighestBit - __clz(places); bit >= 0; --bit) {
        const int candidate = last | 1 << bit;
        const int before =
            countOf(places, [&](int place) { return place < candidate && keyAt(place) == key; });
        last = before < count - above ? candidate : last;
    }
    threshold.last = last;
    return threshold;
}

/// A byte per value, 1 where it is kept. Stride 0: all rows keep the same.
struct KeptValues
{
    const unsigned char* bytes = nullptr;
    Index stride = 0;

    __device__ bool has(Index row, Index place) const { return bytes[row * stride + place] != 0; }
};

/// The given places of every row.
inline KeptValues keptPlaces(Plan& plan, const std::vector<int>& places, Index width)
{
    std::vector<unsigned char> bytes(static_cast<std::size_t>(width));
    for (const int place : places) {
        bytes[static_cast<std::size_t>(place)] = 1;
    }
    return {plan.copied(bytes), 0};
}

/// Consecutive groups of the values of a row, and how many each keeps.
struct ValueGroups
{
    std::vector<int> starts; ///< of each group, and the end
    std::vector<int> kept;
};

/// A forward step: the values of largest keyAt(row, place) in every group of each row, a block per
/// group. Of equal keys the lower place wins.
template <class KeyAt>
KeptValues keptLargest(Plan& plan, Index rows, const ValueGroups& groups, const KeyAt& keyAt)
{
    const int* const starts = plan.copied(groups.starts);
    const int* const kept = plan.copied(groups.kept);
    const Index width = groups.starts.back();
    const auto count = static_cast<Index>(groups.kept.size());
    auto* const bytes = plan.memory<unsigned char>(rows * width);
    eachRow(plan, rows * count, width / count / 4 + 1, [=] __device__(Index piece) {
        const Index row = piece / count;
        const Index group = piece % count;
        const int first = starts[group];
        const int size = starts[group + 1] - first;
        const auto key = [&](int place) { return keyAt(row, first + place); };
        const Threshold threshold = thresholdOfLargest(size, kept[group], key);
        for (int place = static_cast<int>(threadIdx.x); place < size;
             place += static_cast<int>(blockDim.x)) {
            bytes[row * width + first + place] = threshold.keeps(key(place), place) ? 1 : 0;
        }
    });
    return {bytes, width};
}

/// A forward step: the places that each row keeps, `count` of them, ascending; a warp per row.
inline const int* placesOf(Plan& plan, Index rows, Index width, Index count, const KeptValues& kept)
{
    int* const places = plan.memory<int>(rows * count);
    eachRow(plan, rows, kWarp, [=] __device__(Index row) {
        const int lane = static_cast<int>(threadIdx.x);
        Index before = row * count;
        for (Index first = 0; first < width; first += kWarp) {
            const bool mine = first + lane < width && kept.has(row, first + lane);
            const unsigned all = __ballot_sync(kAllLanes, mine ? 1 : 0);
            if (mine) {
                places[before + __popc(all & ((1U << lane) - 1U))] = static_cast<int>(first) + lane;
            }
            before += __popc(all);
        }
    });
    return places;
}

} // namespace flopsmith::cuda
