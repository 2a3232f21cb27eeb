// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/layer/variant_info.h"
#include "core/layer/weight_shape.h"
#include "core/mixer/attention.h"
#include "core/mixer/cached_features.h"

#include <cstddef>

namespace flopsmith {

/// Attention of a decoder's tokens to the output z of an encoder (Transformer, T5, BART): no mask,
/// no positions.
///   q = x·Wq;  k, v = z·Wk, z·Wv;  y = softmax(q·kᵀ/√h)·v·Wo
/// In prefill keys and values are projected from z [B·S_src, d]; in decode (C > S) they are cached
/// and z is not needed.
struct CrossAttention
{
    int heads = 8; ///< H
    int kvHeads = 8; ///< G, divides H
    int headDim = 0; ///< h; 0 means d_model / heads
    bool qkvBias = false;
    bool outBias = false;
    bool scaleScores = true; ///< by 1/√h; T5 does not
    AttentionAlgorithm algorithm = AttentionAlgorithm::flash;

    bool operator==(const CrossAttention&) const = default;

    int headDimFor(int dModel) const { return headDim > 0 ? headDim : dModel / heads; }
    int dModelMultiple() const { return headDim > 0 ? 1 : heads; }
    bool readsSource() const { return true; }

    /// Of each token of the source.
    CachedFeatures cachedFeatures(int dModel) const
    {
        const std::int64_t width = std::int64_t{kvHeads} * headDimFor(dModel);
        return {.keys = width, .values = width};
    }

    static const VariantInfo& info();
    static const std::vector<Field<CrossAttention>>& fields();
};

/// q.weight [d, H·h], its bias, kv.weight [d, 2G·h] with columns k | v, its bias,
/// out.weight [H·h, d], its bias.
WeightShapes weights(const CrossAttention& attention, int dModel);

/// Index of each tensor in weights(); 0 if absent, except for `q`, the first.
struct CrossTensors
{
    std::size_t q = 0;
    std::size_t qBias = 0;
    std::size_t kv = 0;
    std::size_t kvBias = 0;
    std::size_t out = 0;
    std::size_t outBias = 0;

    explicit CrossTensors(const CrossAttention& attention)
        : qBias(attention.qkvBias ? 1 : 0)
        , kv(attention.qkvBias ? 2 : 1)
        , kvBias(attention.qkvBias ? 3 : 0)
        , out(attention.qkvBias ? 4 : 2)
        , outBias(attention.outBias ? out + 1 : 0)
    {}
};

} // namespace flopsmith
