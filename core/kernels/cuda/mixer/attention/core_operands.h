// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/gemm/product.h"

#include <cstdint>
#include <limits>

// What the core of attention (scores, softmax, weighted sum) reads and writes, for every kind of
// attention.
namespace flopsmith::cuda {

/// Distances that the bias of a relative position tells apart: [−kFarthest, kFarthest].
constexpr int kFarthestOffset = 128;
constexpr int kOffsets = 2 * kFarthestOffset + 1;

/// What happens to a product q·k before softmax.
struct ScoreSteps
{
    float scale = 1.0F;
    float cap = 0.0F; ///< cap·tanh(s/cap); 0: none
    const float* slopes = nullptr; ///< [H]: − slope·|offset|; null: none
    const float* biases = nullptr; ///< [H, kOffsets] by offset; null: none
    const float* sinks = nullptr; ///< [H], one more logit; null: none
};

/// Queries see keys from `back` before to `forward` after their position.
struct CoreSize
{
    std::int64_t batch = 1;
    int queries = 1; ///< S; they stand behind the cached keys
    int cached = 0; ///< keys per sequence that lie in the cache
    int fresh = 1; ///< keys per sequence behind them
    int heads = 1;
    int groupSize = 1; ///< query heads per KV head
    int keyDim = 1;
    int valueDim = 1;
    int firstPosition = 0; ///< of the first query
    int back = std::numeric_limits<int>::max() / 2;
    int forward = std::numeric_limits<int>::max() / 2;

    int keys() const { return cached + fresh; }
    int keyHeads() const { return heads / groupSize; }
    std::int64_t rows() const { return batch * queries * heads; }
};

/// Rows of keys or values: feature c of head g stands at g·own + c if c < own, else, the same for
/// all heads, at shared + c − own. The cache is float32, fresh rows are of the operands' element.
struct HeadRows
{
    Operand fresh; ///< [batch·fresh, stride]
    const float* cached = nullptr; ///< [batch·cached, cachedStride]
    std::int64_t cachedStride = 0;
    int own = 0;
    int shared = 0;
};

/// Features that are all the head's own.
inline HeadRows ownRows(const Operand& fresh, int width)
{
    return {.fresh = fresh, .own = width};
}

struct CoreInput
{
    Operand queries; ///< [batch·S, stride], heads side by side
    HeadRows keys;
    HeadRows values;
};

/// Where the gradients of the core's inputs go, all float32.
struct CoreGradients
{
    float* queries = nullptr; ///< [batch·S, stride]
    std::int64_t queryStride = 0;
    float* keys = nullptr; ///< [batch·fresh, stride], keyDim features per head of keys
    std::int64_t keyStride = 0;
    float* values = nullptr;
    std::int64_t valueStride = 0;
    float* sinks = nullptr; ///< [H]; null: none
    float* biases = nullptr; ///< [H, kOffsets]; null: none
};

} // namespace flopsmith::cuda
