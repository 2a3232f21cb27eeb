// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/moe_routing.h"

#include "core/kernels/cuda/activation.cuh"
#include "core/kernels/cuda/block.cuh"

#include <cmath>

namespace flopsmith::cuda {
namespace {

struct RouteArguments
{
    int experts;
    int perToken;
    int groups;
    int groupsPerToken;
    bool limitsGroups;
    bool sumsGroups;
    bool softmax; ///< else sigmoid
    bool scoresAll;
    bool choosesByScore;
    bool renormalises;
    float scale;
    const float* bias; ///< null: none
    const float* correction;
    float* logits;
    int* chosen;
    float* weights;
    float* shares;
    float* scores;
    float* sums;
    int* counts;
};

// A candidate; the larger value goes first, of equal ones the lower index. What is not a number
// counts as the largest, so that it shows.
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

__device__ float rankOf(float value)
{
    return isnan(value) ? INFINITY : value;
}

// Takes the best of `count` values that are not taken yet; what is taken becomes not-a-number.
__device__ void takeBest(float* values, int count)
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

// Scores of `count` values: softmax, or σ of each.
__device__ void score(float* values, int count, bool softmax)
{
    const int lane = static_cast<int>(threadIdx.x);
    if (!softmax) {
        for (int i = lane; i < count; i += kWarp) {
            values[i] = sigmoid(values[i]);
        }
        __syncwarp();
        return;
    }
    float largest = -INFINITY;
    for (int i = lane; i < count; i += kWarp) {
        largest = fmaxf(largest, values[i]);
    }
    largest = maxOverWarp(largest);
    float sum = 0.0F;
    for (int i = lane; i < count; i += kWarp) {
        values[i] = expf(values[i] - largest);
        sum += values[i];
    }
    sum = sumOverWarp(sum);
    for (int i = lane; i < count; i += kWarp) {
        values[i] /= sum;
    }
    __syncwarp();
}

// What a group is worth: its best value, or its two best.
__device__ float worthOf(const float* values, int size, bool two)
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

// Experts of groups that are not among the best are no candidates. `ranked` holds values before
// and ranks afterwards.
__device__ void keepBestGroups(const RouteArguments& a, float* ranked, float* worth)
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

// The chosen experts in ascending order.
__device__ void choose(const RouteArguments& a, const float* values, float* ranked, int* chosen)
{
    const int lane = static_cast<int>(threadIdx.x);
    for (int e = lane; e < a.experts; e += kWarp) {
        ranked[e] = a.correction == nullptr ? values[e] : values[e] + a.correction[e];
    }
    __syncwarp();
    float* const candidates = ranked + a.experts; // 1 of each that may be chosen
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

// One warp per token.
__global__ void routeTokens(RouteArguments a)
{
    auto* const ranked = sharedMemory<float>(); // [E], then as many of their own use
    const int lane = static_cast<int>(threadIdx.x);
    const std::int64_t token = blockIdx.x;
    float* const logits = a.logits + token * a.experts;
    int* const chosen = a.chosen + token * a.perToken;
    float* const weights = a.weights + token * a.perToken;
    for (int e = lane; e < a.experts; e += kWarp) {
        logits[e] += a.bias == nullptr ? 0.0F : a.bias[e];
    }
    __syncwarp();
    if (!a.choosesByScore) {
        choose(a, logits, ranked, chosen);
    }
    if (a.scoresAll) {
        score(logits, a.experts, a.softmax);
    }
    if (a.choosesByScore) {
        choose(a, logits, ranked, chosen);
    }
    for (int j = lane; j < a.perToken; j += kWarp) {
        weights[j] = logits[chosen[j]];
    }
    __syncwarp();
    if (!a.scoresAll) {
        score(weights, a.perToken, a.softmax);
    }
    float sum = 0.0F;
    for (int j = lane; j < a.perToken; j += kWarp) {
        sum += weights[j];
    }
    sum = sumOverWarp(sum);
    for (int j = lane; j < a.perToken; j += kWarp) {
        const std::int64_t place = token * a.perToken + j;
        a.scores[place] = weights[j];
        a.shares[place] = a.renormalises ? weights[j] / sum : weights[j];
        weights[j] = a.shares[place] * a.scale;
    }
    if (lane == 0) {
        a.sums[token] = sum;
    }
}

// One thread: where the rows and the tiles of each expert begin.
__global__ void startExperts(int experts, const int* counts, int* starts, int* tileStarts)
{
    if (threadIdx.x == 0) {
        int row = 0;
        int tile = 0;
        for (int e = 0; e < experts; ++e) {
            starts[e] = row;
            tileStarts[e] = tile;
            row += counts[e];
            tile += (counts[e] + kGroupTile - 1) / kGroupTile;
        }
        starts[experts] = row;
        tileStarts[experts] = tile;
    }
}

struct SortedRows
{
    int* token;
    int* place;
    int* expert;
    int* ofPlace;
};

// One warp per expert goes through all choices in order.
__global__ void sortRows(std::int64_t places,
                         int perToken,
                         const int* chosen,
                         const int* starts,
                         SortedRows rows)
{
    const int expert = static_cast<int>(blockIdx.x);
    const int lane = static_cast<int>(threadIdx.x);
    const int end = starts[expert + 1];
    int next = starts[expert];
    for (std::int64_t first = 0; next < end && first < places; first += kWarp) {
        const std::int64_t place = first + lane;
        const bool mine = place < places && chosen[place] == expert;
        const unsigned all = __ballot_sync(kAllLanes, mine ? 1 : 0);
        if (mine) {
            const int row = next + __popc(all & ((1U << static_cast<unsigned>(lane)) - 1U));
            rows.token[row] = static_cast<int>(place / perToken);
            rows.place[row] = static_cast<int>(place);
            rows.expert[row] = expert;
            rows.ofPlace[place] = row;
        }
        next += __popc(all);
    }
}

// p·(g − Σ g·p) of values, or g·p·(1 − p) of each; in place of g.
__device__ void scoreBackward(const float* p, float* g, int count, bool softmax)
{
    const int lane = static_cast<int>(threadIdx.x);
    float mean = 0.0F;
    if (softmax) {
        for (int i = lane; i < count; i += kWarp) {
            mean += g[i] * p[i];
        }
        mean = sumOverWarp(mean);
    }
    for (int i = lane; i < count; i += kWarp) {
        g[i] = softmax ? p[i] * (g[i] - mean) : g[i] * p[i] * (1.0F - p[i]);
    }
    __syncwarp();
}

// One warp per token.
__global__ void routeBackward(RouteArguments a, const float* dWeights, float* dLogits)
{
    auto* const g = sharedMemory<float>(); // [k]
    const int lane = static_cast<int>(threadIdx.x);
    const std::int64_t token = blockIdx.x;
    const std::int64_t first = token * a.perToken;
    float* const to = dLogits + token * a.experts;
    float mean = 0.0F;
    for (int j = lane; j < a.perToken; j += kWarp) {
        g[j] = dWeights[first + j] * a.scale;
        mean += g[j] * a.shares[first + j];
    }
    mean = sumOverWarp(mean);
    for (int j = lane; a.renormalises && j < a.perToken; j += kWarp) {
        g[j] = (g[j] - mean) / a.sums[token];
    }
    __syncwarp();
    if (!a.scoresAll) {
        scoreBackward(a.scores + first, g, a.perToken, a.softmax);
    }
    for (int e = lane; e < a.experts; e += kWarp) {
        to[e] = 0.0F;
    }
    __syncwarp();
    for (int j = lane; j < a.perToken; j += kWarp) {
        to[a.chosen[first + j]] = g[j];
    }
    __syncwarp();
    if (a.scoresAll) {
        scoreBackward(a.logits + token * a.experts, to, a.experts, a.softmax);
    }
}

DeviceSpan<const float> optional(DeviceWeights weights, std::size_t place)
{
    return place == 0 ? DeviceSpan<const float>() : weights[place];
}

} // namespace

MoeRouting::MoeRouting(const MoeFfn& ffn,
                       const StageSize& size,
                       DeviceWeights weights,
                       const Device& device)
    : m_device(device)
    , m_ffn(ffn)
    , m_tokens(size.tokens)
    , m_d(size.dModel)
    , m_router(weights[0].data())
    , m_routerBias(optional(weights, MoeTensors(ffn, size.dModel).routerBias).data())
    , m_correction(optional(weights, MoeTensors(ffn, size.dModel).correctionBias).data())
    , m_logits(device.memory(), static_cast<std::size_t>(size.tokens * ffn.experts))
    , m_experts(device.memory(), static_cast<std::size_t>(rows()))
    , m_weights(device.memory(), static_cast<std::size_t>(rows()))
    , m_shares(device.memory(), static_cast<std::size_t>(rows()))
    , m_scores(device.memory(), static_cast<std::size_t>(rows()))
    , m_sums(device.memory(), static_cast<std::size_t>(size.tokens))
    , m_counts(device.memory(), static_cast<std::size_t>(ffn.experts))
    , m_starts(device.memory(), static_cast<std::size_t>(ffn.experts) + 1)
    , m_tileStarts(device.memory(), static_cast<std::size_t>(ffn.experts) + 1)
    , m_tokenOfRow(device.memory(), static_cast<std::size_t>(rows()))
    , m_placeOfRow(device.memory(), static_cast<std::size_t>(rows()))
    , m_expertOfRow(device.memory(), static_cast<std::size_t>(rows()))
    , m_rowOfPlace(device.memory(), static_cast<std::size_t>(rows()))
{}

RowGroups MoeRouting::groups() const
{
    return {m_starts.data(), m_tileStarts.data(), m_ffn.experts, rows()};
}

namespace {

RouteArguments argumentsOf(const MoeFfn& ffn)
{
    return {.experts = ffn.experts,
            .perToken = ffn.perToken,
            .groups = ffn.groups,
            .groupsPerToken = ffn.groupsPerToken,
            .limitsGroups = ffn.limitsGroups(),
            .sumsGroups = ffn.sumsGroups(),
            .softmax = ffn.score == RouterScore::softmax,
            .scoresAll = ffn.scored == ScoredExperts::all,
            .choosesByScore = ffn.choosesByScore(),
            .renormalises = ffn.renormalises(),
            .scale = static_cast<float>(ffn.scale)};
}

} // namespace

void MoeRouting::route(const float* x)
{
    multiply(m_device,
             {m_tokens, m_d, m_ffn.experts},
             operandAt(x, m_d),
             operandAt(m_router, m_ffn.experts),
             destinationAt(m_logits.data(), m_ffn.experts));
    check(cudaMemsetAsync(m_counts.data(), 0, m_counts.bytes(), m_device.stream()),
          "clear the experts' rows");
    RouteArguments a = argumentsOf(m_ffn);
    a.bias = m_routerBias;
    a.correction = m_correction;
    a.logits = m_logits.data();
    a.chosen = m_experts.data();
    a.weights = m_weights.data();
    a.shares = m_shares.data();
    a.scores = m_scores.data();
    a.sums = m_sums.data();
    a.counts = m_counts.data();
    launch(m_device,
           static_cast<unsigned>(m_tokens),
           kWarp,
           2 * static_cast<std::size_t>(m_ffn.experts) * sizeof(float),
           &routeTokens,
           a);
    launch(m_device,
           1,
           kWarp,
           0,
           &startExperts,
           m_ffn.experts,
           m_counts.data(),
           m_starts.data(),
           m_tileStarts.data());
    launch(
        m_device,
        static_cast<unsigned>(m_ffn.experts),
        kWarp,
        0,
        &sortRows,
        rows(),
        m_ffn.perToken,
        m_experts.data(),
        m_starts.data(),
        SortedRows{
            m_tokenOfRow.data(), m_placeOfRow.data(), m_expertOfRow.data(), m_rowOfPlace.data()});
}

void MoeRouting::backward(const float* dWeights, float* dLogits) const
{
    RouteArguments a = argumentsOf(m_ffn);
    a.logits = m_logits.data();
    a.chosen = m_experts.data();
    a.shares = m_shares.data();
    a.scores = m_scores.data();
    a.sums = m_sums.data();
    launch(m_device,
           static_cast<unsigned>(m_tokens),
           kWarp,
           static_cast<std::size_t>(m_ffn.perToken) * sizeof(float),
           &routeBackward,
           a,
           dWeights,
           dLogits);
}

} // namespace flopsmith::cuda
