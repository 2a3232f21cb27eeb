// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/mixer.h"
#include "core/kernels/cpu/mixer/attention/attention_tile.h"
#include "core/kernels/cpu/mixer/attention/projection.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/mixer/cross_attention.h"

#include <cmath>

namespace flopsmith::cpu {

/// The sizes of cross-attention's core.
inline AttentionPlan crossPlan(const CrossAttention& attention, const Shape& shape)
{
    const int headDim = attention.headDimFor(shape.dModel);
    const bool decodes = shape.context > shape.sequence;
    const std::int64_t source = shape.source > 0 ? shape.source : shape.context;
    return {.batch = shape.batch,
            .queries = shape.sequence,
            .cached = decodes ? source : 0,
            .fresh = decodes ? 0 : source,
            .heads = attention.heads,
            .kvHeads = attention.kvHeads,
            .keyDim = headDim,
            .valueDim = headDim,
            .scale = attention.scaleScores ? 1.0F / std::sqrt(static_cast<float>(headDim)) : 1.0F};
}

/// Cross-attention's projections, and where they leave queries, keys and values.
class CrossProjections
{
public:
    CrossProjections(const CrossTensors& at,
                     const Shape& shape,
                     const AttentionPlan& plan,
                     WeightView<float> w,
                     Threads threads,
                     Precision precision)
        : m_threads(threads)
        , m_tokens(static_cast<std::int64_t>(shape.tokens()))
        , m_source(plan.batch * plan.fresh)
        , m_x(shape.activations())
        , m_headDim(plan.keyDim)
        , m_queryWidth(plan.heads * plan.keyDim)
        , m_keyWidth(plan.kvHeads * plan.keyDim)
        , m_toQueries(projection(shape.dModel, m_queryWidth, w, at.q, at.qBias, precision))
        , m_toKeys(projection(shape.dModel, 2 * m_keyWidth, w, at.kv, at.kvBias, precision))
        , m_toOutput(projection(m_queryWidth, shape.dModel, w, at.out, at.outBias, precision))
        , m_queries(bufferSize(m_tokens, m_queryWidth))
        , m_keys(bufferSize(m_source, 2 * m_keyWidth))
        , m_sums(m_queries.size())
    {}

    void prepare(const MixerInput& input)
    {
        m_toQueries.run(input.x.data(), m_queries.data(), m_tokens, m_threads);
        if (m_source > 0) {
            m_toKeys.run(input.x.data() + m_x, m_keys.data(), m_source, m_threads);
        }
    }

    CoreInput coreInput(const MixerInput& input) const
    {
        const auto rows = [&](const float* cached, std::int64_t column) {
            return KeyRows{.cached = {cached, m_keyWidth, m_headDim},
                           .fresh = {m_keys.data() + column, 2 * m_keyWidth, m_headDim},
                           .width = m_headDim};
        };
        return {.queries = {m_queries.data(), m_queryWidth},
                .keys = rows(input.cachedKeys.data(), 0),
                .sharedKeys = {},
                .values = rows(input.cachedValues.data(), m_keyWidth)};
    }

    void project(float* y) const { m_toOutput.run(m_sums.data(), y, m_tokens, m_threads); }

    float* sums() { return m_sums.data(); }
    std::int64_t tokens() const { return m_tokens; }
    std::int64_t source() const { return m_source; }
    std::int64_t queryWidth() const { return m_queryWidth; }
    std::int64_t keyWidth() const { return m_keyWidth; }

private:
    Threads m_threads;
    std::int64_t m_tokens;
    std::int64_t m_source; ///< rows to project; 0 in decode
    std::size_t m_x; ///< elements of x before the source's
    std::int64_t m_headDim;
    std::int64_t m_queryWidth; ///< H·h
    std::int64_t m_keyWidth; ///< G·h
    Linear m_toQueries;
    Linear m_toKeys;
    Linear m_toOutput;
    Buffer m_queries; ///< [T, H·h]
    Buffer m_keys; ///< [B·S_src, k | v]
    Buffer m_sums; ///< [T, H·h]
};

} // namespace flopsmith::cpu
