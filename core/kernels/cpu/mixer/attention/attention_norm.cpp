// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/attention/attention_norm.h"

#include "core/kernels/cpu/layer/norm_rows.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

std::int64_t tokensOf(const AttentionPlan& plan)
{
    return plan.batch * plan.queries;
}

// Of queries, which have at least as many features as keys.
std::size_t gatheredFloats(const Attention& attention, const AttentionPlan& plan)
{
    return !attention.normalisesQk()
        ? 0
        : static_cast<std::size_t>(tokensOf(plan) * plan.heads * plan.keyDim);
}

} // namespace

std::array<QkPart, 2> qkParts(const Attention& attention, const AttentionPlan& plan)
{
    const AttentionTensors tensors(attention);
    const std::int64_t queries = plan.heads * plan.keyDim;
    const std::int64_t keys = plan.kvHeads * plan.keyDim;
    const bool perHead = attention.qkNorm == QkNorm::perHead;
    return {{{0, queries, perHead ? plan.keyDim : queries, tensors.qNorm},
             {queries, keys, perHead ? plan.keyDim : keys, tensors.kNorm}}};
}

void normaliseQk(const Attention& attention,
                 const AttentionPlan& plan,
                 WeightView<float> weights,
                 Range tokens,
                 float* qkv)
{
    const Norm norm = attention.queryKeyNorm();
    for (const QkPart& part : qkParts(attention, plan)) {
        const WeightView<float> own = weights.subspan(part.tensors);
        for (std::int64_t t = tokens.first; t < tokens.last; ++t) {
            float* row = qkv + t * plan.qkvWidth() + part.column;
            for (std::int64_t c = 0; c < part.width; c += part.features) {
                normaliseRow(norm, own, row + c, row + c, static_cast<std::size_t>(part.features));
            }
        }
    }
}

QkNormBackward::QkNormBackward(const Attention& attention,
                               const AttentionPlan& plan,
                               WeightView<float> weights,
                               GradientSpans gradients,
                               Threads threads)
    : m_tokens(tokensOf(plan))
    , m_rowWidth(plan.qkvWidth())
    , m_threads(threadsFor(threads, m_tokens * m_rowWidth))
    , m_from(gatheredFloats(attention, plan))
    , m_to(gatheredFloats(attention, plan))
{
    if (!attention.normalisesQk()) {
        return;
    }
    for (const QkPart& part : qkParts(attention, plan)) {
        m_parts.push_back({part,
                           NormBackward(attention.queryKeyNorm(),
                                        m_tokens * part.width / part.features,
                                        static_cast<int>(part.features),
                                        weights.subspan(part.tensors),
                                        gradients.subspan(part.tensors),
                                        threads)});
    }
}

void QkNormBackward::save(const float* qkv)
{
    for (Part& part : m_parts) {
        gather(part.columns, qkv);
        part.norm.save(m_from.data());
    }
}

void QkNormBackward::run(float* dQkv)
{
    for (Part& part : m_parts) {
        gather(part.columns, dQkv);
        part.norm.run(m_from.data(), m_to.data());
        scatter(part.columns, dQkv);
    }
}

void QkNormBackward::gather(const QkPart& part, const float* qkv)
{
    onThreads(m_threads, [&](int thread) {
        const Range mine = partOf(m_tokens, m_threads.count, thread);
        for (std::int64_t t = mine.first; t < mine.last; ++t) {
            std::copy_n(
                qkv + t * m_rowWidth + part.column, part.width, m_from.data() + t * part.width);
        }
    });
}

void QkNormBackward::scatter(const QkPart& part, float* qkv) const
{
    onThreads(m_threads, [&](int thread) {
        const Range mine = partOf(m_tokens, m_threads.count, thread);
        for (std::int64_t t = mine.first; t < mine.last; ++t) {
            std::copy_n(
                m_to.data() + t * part.width, part.width, qkv + t * m_rowWidth + part.column);
        }
    });
}

} // namespace flopsmith::cpu
