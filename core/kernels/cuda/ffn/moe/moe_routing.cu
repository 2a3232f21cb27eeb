// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/ffn/moe/moe_routing.h"

#include "core/kernels/cuda/block/activation.cuh"
#include "core/kernels/cuda/ffn/moe/moe_choice.cuh"

namespace flopsmith::cuda {
namespace {

// Turns `count` logits into scores: softmax, or σ of each.
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

// Turns the scores of the chosen experts into weights, in place; saves what the backward pass
// reads.
__device__ void weigh(const RouteArguments& a, std::int64_t token, float* weights)
{
    const int lane = static_cast<int>(threadIdx.x);
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

// One warp per token.
__global__ void routeTokens(RouteArguments a)
{
    auto* const ranked = sharedMemory<float>(); // [E], followed by [E] scratch of choose()
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
    weigh(a, token, weights);
}

// One thread computes the first row and the first tile of each expert.
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

// One warp per expert scans all choices in order.
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
    , m_routerBias(tensorAt(weights, MoeTensors(ffn, size.dModel).routerBias).data())
    , m_correction(tensorAt(weights, MoeTensors(ffn, size.dModel).correctionBias).data())
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

void MoeRouting::route(const float* x)
{
    multiply(m_device,
             {m_tokens, m_d, m_ffn.experts},
             operandAt(x, m_d),
             operandAt(m_router, m_ffn.experts),
             destinationAt(m_logits.data(), m_ffn.experts));
    check(cudaMemsetAsync(m_counts.data(), 0, m_counts.bytes(), m_device.stream()),
          "clear the experts' rows");
    RouteArguments a = routeArguments(m_ffn);
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

} // namespace flopsmith::cuda
