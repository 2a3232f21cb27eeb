// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/gemm/product.h"

#include <cstdint>
#include <limits>

// Operands of the attention core (scores, softmax, weighted sum), the same for every kind of
// attention.
namespace flopsmith::cuda {

/// Offsets with a bias of their own lie in [−kFarthestOffset, kFarthestOffset]; those farther away
/// share the outermost bias.
constexpr int kFarthestOffset = 128;
constexpr int kOffsets = 2 * kFarthestOffset + 1;

/// Steps between the product q·k and softmax.
struct ScoreSteps
{
    float scale = 1.0F;
    float cap = 0.0F; ///< cap·tanh(s/cap); 0: none
    const float* slopes = nullptr; ///< [H]: − slope·|offset|; null: none
    const float* biases = nullptr; ///< [H, kOffsets] by offset; null: none
    const float* sinks = nullptr; ///< [H], one more logit; null: none
};

/// The query at position p sees the keys at positions p − back to p + forward.
struct CoreSize
{
    std::int64_t batch = 1;
    int queries = 1; ///< S; their positions follow the cached keys
    int cached = 0; ///< keys per sequence in the cache
    int fresh = 1; ///< new keys per sequence
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

/// Rows of keys or values. Feature c of KV head g is at g·own + c if c < own; features from `own`
/// on are shared by all heads and start at `shared`. The cache is float32, fresh rows have the
/// operands' element type.
struct HeadRows
{
    Operand fresh; ///< [batch·fresh, stride]
    const float* cached = nullptr; ///< [batch·cached, cachedStride]
    std::int64_t cachedStride = 0;
    int own = 0;
    int shared = 0;
};

/// Rows without shared features.
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

/// Destinations of the gradients of the core's inputs, all float32.
struct CoreGradients
{
    float* queries = nullptr; ///< [batch·S, stride]
    std::int64_t queryStride = 0;
    float* keys = nullptr; ///< [batch·fresh, stride], keyDim features per KV head
    std::int64_t keyStride = 0;
    float* values = nullptr;
    std::int64_t valueStride = 0;
    float* sinks = nullptr; ///< [H]; null: none
    float* biases = nullptr; ///< [H, kOffsets]; null: none
};

} // namespace flopsmith::cuda
