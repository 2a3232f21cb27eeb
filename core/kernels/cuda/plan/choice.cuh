// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/plan/elements.cuh"
#include "core/kernels/cuda/plan/selection.cuh"

// Choices of the largest values of a row.
namespace flopsmith::cuda {

/// A byte per value, 1 where it is kept. Stride 0: all rows keep the same.
struct KeptValues
{
    const unsigned char* bytes = nullptr;
    std::int64_t stride = 0;

    __device__ bool has(std::int64_t row, std::int64_t place) const
    {
        return bytes[row * stride + place] != 0;
    }
};

/// The given places of every row.
inline KeptValues keptPlaces(Plan& plan, const std::vector<int>& places, std::int64_t width)
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
KeptValues keptLargest(Plan& plan, std::int64_t rows, const ValueGroups& groups, const KeyAt& keyAt)
{
    const int* const starts = plan.copied(groups.starts);
    const int* const kept = plan.copied(groups.kept);
    const std::int64_t width = groups.starts.back();
    const auto count = static_cast<std::int64_t>(groups.kept.size());
    auto* const bytes = plan.memory<unsigned char>(rows * width);
    eachRow(plan, rows * count, width / count / 4 + 1, [=] __device__(std::int64_t piece) {
        const std::int64_t row = piece / count;
        const std::int64_t group = piece % count;
        const int first = starts[group];
        const int size = starts[group + 1] - first;
        const auto key = [&](int place) { return keyAt(row, first + place); };
        BlockTeam team;
        const Threshold threshold = thresholdOfLargest(team, size, kept[group], key);
        for (int place = team.thread(); place < size; place += team.size()) {
            bytes[row * width + first + place] = threshold.keeps(key(place), place) ? 1 : 0;
        }
    });
    return {bytes, width};
}

/// A forward step: the places that each row keeps, `count` of them, ascending; a warp per row.
inline const int* placesOf(Plan& plan,
                           std::int64_t rows,
                           std::int64_t width,
                           std::int64_t count,
                           const KeptValues& kept)
{
    int* const places = plan.memory<int>(rows * count);
    eachRow(plan, rows, kWarp, [=] __device__(std::int64_t row) {
        const int lane = static_cast<int>(threadIdx.x);
        std::int64_t before = row * count;
        for (std::int64_t first = 0; first < width; first += kWarp) {
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
