// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/block/block.cuh"
#include "core/kernels/cuda/ffn/moe/moe_route.cuh"
#include "core/kernels/cuda/ffn/moe/moe_routing.h"

namespace flopsmith::cuda {
namespace {

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

} // namespace

void MoeRouting::backward(const float* dWeights, float* dLogits) const
{
    RouteArguments a = routeArguments(m_ffn);
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
