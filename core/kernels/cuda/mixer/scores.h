// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/plan/plan.h"
#include "core/mixer/attention.h"

#include <limits>

namespace flopsmith::cuda {

/// Offsets with a bias of their own lie in [−kFarthestOffset, kFarthestOffset]; those farther away
/// share the outermost bias.
constexpr int kFarthestOffset = 128;
constexpr int kOffsets = 2 * kFarthestOffset + 1;

/// Scores in memory at once where they are not kept: 32 MiB of float32, about as much as the L2
/// cache of a large GPU holds.
constexpr Index kScoresAtOnce = Index{1} << 23;

/// Steps between the product q·k and softmax.
struct ScoreSteps
{
    float scale = 1.0F;
    float cap = 0.0F; ///< cap·tanh(s/cap); 0: none
    const float* slopes = nullptr; ///< [H]: − slope·|offset|; null: none
    Tensor* biases = nullptr; ///< [1, H·kOffsets] by offset; null: none
    Tensor* sinks = nullptr; ///< [1, H], one more logit; null: none
};

/// The query at position p sees the keys at positions p − back to p + forward.
struct ScoreSize
{
    Index batch = 1;
    int queries = 1; ///< per sequence
    int keys = 1; ///< per sequence
    int heads = 1;
    int groupSize = 1; ///< query heads per KV head
    int firstPosition = 0; ///< of the first query
    int back = std::numeric_limits<int>::max() / 2;
    int forward = std::numeric_limits<int>::max() / 2;
    Index keyWidth = 0; ///< features of a query or a key; attended() finds both widths
    Index valueWidth = 0;

    __host__ __device__ int keyHeads() const { return heads / groupSize; }
};

/// softmax(scores)·V, [T, H·width of a value]; rows of q have H heads side by side, those of k and v
/// the KV heads. Scores [batch, H, S, C] by cuBLAS, softmax in a pass over their rows, weighted sums by
/// cuBLAS. Products go by strips of 256 queries and skip keys that no query of a strip sees.
/// Materialised attention writes the whole matrix and keeps its probabilities for the backward pass;
/// flash attention has at most `scoresAtOnce` of them in memory, or one row of each head of a group,
/// and computes them again.
Tensor* attended(Plan& plan,
                 AttentionAlgorithm algorithm,
                 ScoreSize size,
                 const ScoreSteps& steps,
                 Tensor* q,
                 Tensor* k,
                 Tensor* v,
                 Index scoresAtOnce = kScoresAtOnce);

} // namespace flopsmith::cuda
