// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/attention/attention_heads.h"

#include "core/kernels/cpu/mixer/attention/attention_norm.h"
#include "core/kernels/cpu/mixer/attention/projection.h"
#include "core/kernels/cpu/simd/row_math.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

int rotatedFeatures(const Attention& attention, const Shape& shape)
{
    return attention.rotary ? attention.rotaryFeatures(shape.dModel) : 0;
}

} // namespace

AttentionPlan attentionPlan(const Attention& attention, const Shape& shape)
{
    const int headDim = attention.headDimFor(shape.dModel);
    return {.batch = shape.batch,
            .queries = shape.sequence,
            .cached = shape.context - shape.sequence,
            .fresh = shape.sequence,
            .heads = attention.heads,
            .kvHeads = attention.kvHeads,
            .keyDim = headDim,
            .valueDim = headDim,
            .reachBack = attention.reachBack(shape.context),
            .reachForward = attention.reachForward(shape.context),
            .scale =
                attention.scaleScores ? static_cast<float>(attention.scoreFactor(headDim)) : 1.0F,
            .hasSoftCap = attention.hasSoftCap()};
}

AttentionHeads::AttentionHeads(const Attention& attention,
                               const Shape& shape,
                               WeightView<float> w,
                               Threads threads,
                               Precision precision,
                               Purpose purpose)
    : m_attention(attention)
    , m_plan(attentionPlan(attention, shape))
    , m_weights(w)
    , m_threads(threads)
    , m_tokens(static_cast<std::int64_t>(shape.tokens()))
    , m_toQkv(projection(shape.dModel,
                         m_plan.qkvWidth(),
                         w,
                         AttentionTensors(attention).qkv,
                         AttentionTensors(attention).qkvBias,
                         precision))
    , m_toOutput(projection(m_plan.heads * m_plan.valueDim,
                            shape.dModel,
                            w,
                            AttentionTensors(attention).out,
                            AttentionTensors(attention).outBias,
                            precision))
    , m_rotary(m_plan.queries, m_plan.cached, rotatedFeatures(attention, shape), attention.rope)
    , m_qkv(bufferSize(m_tokens, m_plan.qkvWidth()))
    , m_unlimited(attention.limitsQkv() && purpose == Purpose::training ? m_qkv.size() : 0)
    , m_sums(bufferSize(m_tokens, m_plan.heads * m_plan.valueDim))
{
    if (purpose == Purpose::inference) { // the backward pass multiplies by the transposed weights
        m_toQkv.packed(m_tokens, threads);
        m_toOutput.packed(m_tokens, threads);
    }
}

void AttentionHeads::prepare(const MixerInput& input)
{
    projectQkv(input.x.data(), m_qkv.data());
    if (m_attention.normalisesQk()) {
        normaliseAll();
    }
    if (m_attention.limitsQkv()) {
        limitAll();
    }
    if (m_rotary.present()) {
        rotateAll();
    }
}

CoreInput AttentionHeads::coreInput(const MixerInput& input) const
{
    const std::int64_t h = m_plan.keyDim;
    const std::int64_t width = m_plan.kvHeads * h;
    const auto rows = [&](const float* cached, std::int64_t column) {
        return KeyRows{.cached = {cached, width, h},
                       .fresh = {m_qkv.data() + column, m_plan.qkvWidth(), h},
                       .width = h};
    };
    return {.queries = {m_qkv.data(), m_plan.qkvWidth()},
            .keys = rows(input.cachedKeys.data(), m_plan.heads * h),
            .sharedKeys = {},
            .values = rows(input.cachedValues.data(), m_plan.heads * h + width)};
}

void AttentionHeads::projectQkv(const float* x, float* qkv) const
{
    m_toQkv.run(x, qkv, m_tokens, m_threads);
}

void AttentionHeads::project(float* y) const
{
    m_toOutput.run(m_sums.data(), y, m_tokens, m_threads);
}

// Calls step(tokens) on every thread with its part of the tokens.
template <class Step>
void AttentionHeads::forEachToken(const Step& step)
{
    const Threads busy = threadsFor(m_threads, m_tokens * m_plan.qkvWidth());
    onThreads(busy, [&](int part) { step(partOf(m_tokens, busy.count, part)); });
}

void AttentionHeads::normaliseAll()
{
    forEachToken([this](Range tokens) {
        normaliseQk(m_attention, m_plan, m_weights, tokens, m_qkv.data());
    });
}

void AttentionHeads::limitAll()
{
    const std::int64_t width = m_plan.qkvWidth();
    const auto limit = static_cast<float>(m_attention.qkvLimit);
    forEachToken([this, width, limit](Range tokens) {
        float* first = m_qkv.data() + tokens.first * width;
        const std::int64_t count = tokens.size() * width;
        if (m_unlimited.size() > 0) {
            std::copy_n(first, count, m_unlimited.data() + tokens.first * width);
        }
        limitRow(first, count, limit);
    });
}

void AttentionHeads::limitBackward(float* dQkv)
{
    if (!m_attention.limitsQkv()) {
        return;
    }
    const std::int64_t width = m_plan.qkvWidth();
    const auto limit = static_cast<float>(m_attention.qkvLimit);
    forEachToken([this, width, limit, dQkv](Range tokens) {
        const std::int64_t at = tokens.first * width;
        limitRowBackward(m_unlimited.data() + at, dQkv + at, tokens.size() * width, limit);
    });
}

// Queries and new keys come first in each row q | k | v.
void AttentionHeads::rotateAll()
{
    forEachToken([this](Range tokens) {
        const std::int64_t heads = m_plan.heads + m_plan.kvHeads;
        for (std::int64_t t = tokens.first; t < tokens.last; ++t) {
            float* row = m_qkv.data() + t * m_plan.qkvWidth();
            for (std::int64_t head = 0; head < heads; ++head) {
                m_rotary.rotate(row + head * m_plan.keyDim, t % m_plan.queries);
            }
        }
    });
}

} // namespace flopsmith::cpu
