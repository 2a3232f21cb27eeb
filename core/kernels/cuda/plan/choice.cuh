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

/// A key that no other place has: of equal ones that of the lower place is larger.
__device__ inline std::uint64_t uniqueKey(unsigned key, int place)
{
    return std::uint64_t{key} << 32 | ~static_cast<unsigned>(place);
}

/// The smallest of the `count` largest unique keys keyAt(0…places−1); every thread gets it. A radix
/// search from the highest bit: it counts keys once per bit until the last kept and the first dropped
/// key differ, usually fewer than 20 times. A thread reads only its own places.
template <class KeyAt>
__device__ std::uint64_t thresholdOfLargest(int places, int count, const KeyAt& keyAt)
{
    std::uint64_t threshold = 0;
    int reached = places; // keys >= `threshold`
    for (std::uint64_t bit = std::uint64_t{1} << 63; bit != 0 && reached != count; bit >>= 1) {
        const std::uint64_t candidate = threshold | bit;
        const int larger = countOf(places, [&](int place) { return keyAt(place) >= candidate; });
        if (larger >= count) {
            threshold = candidate;
            reached = larger;
        }
    }
    return threshold;
}

/// A byte per value, 1 where it is kept; without bytes all are. Stride 0: all rows keep the same.
struct KeptValues
{
    const unsigned char* bytes = nullptr;
    Index stride = 0;

    __device__ bool has(Index row, Index place) const
    {
        return bytes == nullptr || bytes[row * stride + place] != 0;
    }
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
        const auto key = [&](int place) { return uniqueKey(keyAt(row, first + place), place); };
        const std::uint64_t threshold = thresholdOfLargest(size, kept[group], key);
        shareOut(0, size, [&](Index i) {
            const auto place = static_cast<int>(i);
            bytes[row * width + first + place] = key(place) >= threshold ? 1 : 0;
        });
    });
    return {bytes, width};
}

/// A warp calls found(place, rank) for every place that matches, in their order, and gets their number.
template <class Matches, class Found>
__device__ int numbered(Index places, const Matches& matches, const Found& found)
{
    const auto lane = static_cast<int>(threadIdx.x);
    int count = 0;
    for (Index first = 0; first < places; first += kWarp) {
        const Index place = first + lane;
        const bool mine = place < places && matches(place);
        const unsigned all = __ballot_sync(kAllLanes, mine ? 1 : 0);
        if (mine) {
            found(place, count + __popc(all & ((1U << lane) - 1U)));
        }
        count += __popc(all);
    }
    return count;
}

/// A forward step: the places that each row keeps, `count` of them, ascending; a warp per row.
inline const int* placesOf(Plan& plan, Index rows, Index width, Index count, const KeptValues& kept)
{
    int* const places = plan.memory<int>(rows * count);
    eachRow(plan, rows, kWarp, [=] __device__(Index row) {
        numbered(
            width,
            [&](Index place) { return kept.has(row, place); },
            [&](Index place, int rank) { places[row * count + rank] = static_cast<int>(place); });
    });
    return places;
}

/// A forward step: the values of largest magnitude in every group of each row.
inline KeptValues keptMagnitudes(Plan& plan, const Tensor* x, const ValueGroups& groups)
{
    const Matrix values = valuesOf(x);
    return keptLargest(plan, x->rows, groups, [=] __device__(Index row, int place) {
        return magnitudeKey(values(row, place));
    });
}

} // namespace flopsmith::cuda
