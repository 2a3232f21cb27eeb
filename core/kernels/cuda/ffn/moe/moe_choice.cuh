// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/block/block.cuh"
#include "core/kernels/cuda/ffn/moe/moe_route.cuh"

#include <cmath>

// Top-k choice of a token's experts by one warp.
namespace flopsmith::cuda {

// A candidate. Larger values rank first, equal ones by lower index. NaN ranks highest, so that it
// reaches the output.
struct Candidate
{
    float value;
    int index; ///< −1: none

    __device__ bool goesBefore(const Candidate& other) const
    {
        return index >= 0
            && (other.index < 0 || value > other.value
                || (value == other.value && index < other.index));
    }
};

__device__ inline float rankOf(float value)
{
    return isnan(value) ? INFINITY : value;
}

/// Takes the best of `count` values and marks it as taken by NaN.
__device__ inline void takeBest(float* values, int count)
{
    const int lane = static_cast<int>(threadIdx.x);
    Candidate best{0.0F, -1};
    for (int i = lane; i < count; i += kWarp) {
        const Candidate next{values[i], isnan(values[i]) ? -1 : i};
        best = next.goesBefore(best) ? next : best;
    }
    for (int distance = kWarp / 2; distance > 0; distance /= 2) {
        const Candidate other{__shfl_xor_sync(kAllLanes, best.value, distance),
                              __shfl_xor_sync(kAllLanes, best.index, distance)};
        best = other.goesBefore(best) ? other : best;
    }
    __syncwarp();
    if (lane == 0 && best.index >= 0) {
        values[best.index] = NAN;
    }
    __syncwarp();
}

// A group's score: its best value, or the sum of its two best.
__device__ inline float worthOf(const float* values, int size, bool two)
{
    int best = 0;
    for (int i = 1; i < size; ++i) {
        best = rankOf(values[i]) > rankOf(values[best]) ? i : best;
    }
    if (!two) {
        return values[best];
    }
    int second = best == 0 ? 1 : 0;
    for (int i = second + 1; i < size; ++i) {
        second = i != best && rankOf(values[i]) > rankOf(values[second]) ? i : second;
    }
    return values[best] + values[second];
}

// Excludes experts of all but the best groups. `ranked` holds values on entry and ranks on exit.
__device__ inline void keepBestGroups(const RouteArguments& a, float* ranked, float* worth)
{
    const int lane = static_cast<int>(threadIdx.x);
    const int size = a.experts / a.groups;
    for (int group = lane; group < a.groups; group += kWarp) {
        worth[group] = rankOf(worthOf(ranked + group * size, size, a.sumsGroups));
    }
    __syncwarp();
    for (int i = 0; i < a.groupsPerToken; ++i) {
        takeBest(worth, a.groups);
    }
    for (int e = lane; e < a.experts; e += kWarp) {
        ranked[e] = isnan(worth[e / size]) ? rankOf(ranked[e]) : NAN;
    }
    __syncwarp();
}

// Lists the taken candidates (now NaN) in ascending order.
__device__ inline void listTaken(const RouteArguments& a,
                                 const float* ranked,
                                 const float* candidates,
                                 int* chosen)
{
    const int lane = static_cast<int>(threadIdx.x);
    int before = 0;
    for (int first = 0; first < a.experts; first += kWarp) {
        const int e = first + lane;
        const bool taken = e < a.experts && candidates[e] == 1.0F && isnan(ranked[e]);
        const unsigned all = __ballot_sync(kAllLanes, taken ? 1 : 0);
        if (taken) {
            const int place = before + __popc(all & ((1U << static_cast<unsigned>(lane)) - 1U));
            chosen[place] = e;
            atomicAdd(a.counts + e, 1);
        }
        before += __popc(all);
    }
    __syncwarp();
}

// The chosen experts in ascending order.
__device__ inline void choose(const RouteArguments& a,
                              const float* values,
                              float* ranked,
                              int* chosen)
{
    const int lane = static_cast<int>(threadIdx.x);
    for (int e = lane; e < a.experts; e += kWarp) {
        ranked[e] = a.correction == nullptr ? values[e] : values[e] + a.correction[e];
    }
    __syncwarp();
    float* const candidates = ranked + a.experts; // 1 for each expert that may be chosen
    if (a.limitsGroups) {
        keepBestGroups(a, ranked, candidates);
    } else {
        for (int e = lane; e < a.experts; e += kWarp) {
            ranked[e] = rankOf(ranked[e]);
        }
    }
    for (int e = lane; e < a.experts; e += kWarp) {
        candidates[e] = isnan(ranked[e]) ? 0.0F : 1.0F;
    }
    __syncwarp();
    for (int i = 0; i < a.perToken; ++i) {
        takeBest(ranked, a.experts);
    }
    listTaken(a, ranked, candidates, chosen);
}

} // namespace flopsmith::cuda
