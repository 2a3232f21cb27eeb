// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/latent/latent_core.h"

#include "core/kernels/cpu/gemm/bf16/bf16_product.h"
#include "core/kernels/cpu/layer/norm_rows.h"
#include "core/kernels/cpu/mixer/attention/projection.h"
#include "core/kernels/cpu/mixer/latent/latent_absorption.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

// y = x·W on all threads; the rows of x may be part of longer ones.
void multiplyAll(const ProductSize& size,
                 const MatrixAt<const float>& x,
                 const float* weight,
                 float* y,
                 Threads threads,
                 Precision precision)
{
    const Threads busy = threadsFor(threads, size.rows * size.inner * size.columns);
    onThreads(busy, [&](int part) {
        const Slice slice = sliceOf(size.rows, size.columns, busy, part);
        if (slice.tokens.size() > 0 && slice.columns.size() > 0) {
            multiplyIn(precision,
                       {slice.tokens.size(), size.inner, slice.columns.size()},
                       {x.first + slice.tokens.first * x.stride, x.stride},
                       {weight + slice.columns.first, size.columns},
                       Stored::notTransposed,
                       {y + slice.tokens.first * size.columns + slice.columns.first, size.columns});
        }
    });
}

} // namespace

LatentCore::LatentCore(const LatentPlan& plan, WeightView<float> w, Threads threads)
    : m_plan(plan)
    , m_tensors(plan.spec)
    , m_weights(w)
    , m_threads(threads)
    , m_toQueries(
          projection(plan.dModel,
                     plan.spec.hasQueryLatents() ? plan.queryRank : plan.heads * plan.qkDim(),
                     w,
                     m_tensors.q,
                     m_tensors.qBias,
                     plan.precision))
    , m_toOutput(projection(plan.heads * plan.value,
                            plan.dModel,
                            w,
                            m_tensors.out,
                            m_tensors.outBias,
                            plan.precision))
    , m_toLatents(projection(plan.dModel,
                             plan.rank + plan.rope,
                             w,
                             m_tensors.down,
                             m_tensors.downBias,
                             plan.precision))
    , m_rotary(plan.queries, plan.cached, plan.rope, plan.spec.rope)
    , m_queryLatents(bufferSize(plan.tokens, plan.queryRank))
    , m_queryNormed(m_queryLatents.size())
    , m_q(bufferSize(plan.tokens, plan.heads * plan.qkDim()))
    , m_down(bufferSize(plan.tokens, plan.rank + plan.rope))
    , m_latents(bufferSize(plan.tokens, plan.rank))
    , m_ropeKeys(bufferSize(plan.tokens, plan.rope))
    , m_absorbed(bufferSize(plan.absorbedTokens(), plan.heads * plan.keyDim()))
    , m_keys(bufferSize(plan.expandedTokens(), plan.heads * plan.nope))
    , m_values(bufferSize(plan.expandedTokens(), plan.heads * plan.value))
    , m_cachedKeys(bufferSize(plan.expandedCache(), plan.heads * plan.nope))
    , m_cachedValues(bufferSize(plan.expandedCache(), plan.heads * plan.value))
    , m_sums(bufferSize(plan.tokens, plan.heads * plan.valueDim()))
    , m_mixed(bufferSize(plan.absorbedTokens(), plan.heads * plan.value))
{}

void LatentCore::prepare(const MixerInput& input)
{
    projectQueries(input.x.data());
    projectLatents(input.x.data());
    if (m_plan.spec.isAbsorbed()) {
        absorbKeys(
            m_plan, m_weights[m_tensors.keys].data(), m_q.data(), m_absorbed.data(), m_threads);
        return;
    }
    expand({m_latents.data(), m_plan.rank}, m_plan.tokens, m_keys, m_values);
    if (m_plan.expandedCache() > 0) {
        expand({input.cachedKeys.data(), m_plan.rank + m_plan.rope},
               m_plan.expandedCache(),
               m_cachedKeys,
               m_cachedValues);
    }
}

void LatentCore::projectQueries(const float* x)
{
    const std::int64_t rank = m_plan.queryRank;
    const std::int64_t tokens = m_plan.tokens;
    if (m_plan.spec.hasQueryLatents()) {
        m_toQueries.run(x, m_queryLatents.data(), tokens, m_threads);
        forEachToken(m_plan, m_threads, rank, [&](std::int64_t t) {
            normaliseRow(m_plan.spec.latentNorm(),
                         m_weights.subspan(m_tensors.qNorm, 1),
                         m_queryLatents.data() + t * rank,
                         m_queryNormed.data() + t * rank,
                         static_cast<std::size_t>(rank));
        });
        multiplyAll({tokens, rank, m_plan.heads * m_plan.qkDim()},
                    {m_queryNormed.data(), rank},
                    m_weights[m_tensors.qUp].data(),
                    m_q.data(),
                    m_threads,
                    m_plan.precision);
    } else {
        m_toQueries.run(x, m_q.data(), tokens, m_threads);
    }
    forEachToken(m_plan, m_threads, m_plan.heads * m_plan.rope, [&](std::int64_t t) {
        for (std::int64_t head = 0; head < m_plan.heads; ++head) {
            m_rotary.rotate(m_q.data() + (t * m_plan.heads + head) * m_plan.qkDim() + m_plan.nope,
                            t % m_plan.queries);
        }
    });
}

void LatentCore::projectLatents(const float* x)
{
    const std::int64_t rank = m_plan.rank;
    const std::int64_t rope = m_plan.rope;
    m_toLatents.run(x, m_down.data(), m_plan.tokens, m_threads);
    forEachToken(m_plan, m_threads, rank + rope, [&](std::int64_t t) {
        const float* from = m_down.data() + t * (rank + rope);
        normaliseRow(m_plan.spec.latentNorm(),
                     m_weights.subspan(m_tensors.norm, 1),
                     from,
                     m_latents.data() + t * rank,
                     static_cast<std::size_t>(rank));
        float* key = m_ropeKeys.data() + t * rope;
        std::copy_n(from + rank, rope, key);
        m_rotary.rotate(key, t % m_plan.queries);
    });
}

void LatentCore::expand(const MatrixAt<const float>& latents,
                        std::int64_t tokens,
                        Buffer& keys,
                        Buffer& values) const
{
    multiplyAll({tokens, m_plan.rank, m_plan.heads * m_plan.nope},
                latents,
                m_weights[m_tensors.keys].data(),
                keys.data(),
                m_threads,
                m_plan.precision);
    multiplyAll({tokens, m_plan.rank, m_plan.heads * m_plan.value},
                latents,
                m_weights[m_tensors.values].data(),
                values.data(),
                m_threads,
                m_plan.precision);
}

void LatentCore::absorbValues()
{
    if (m_plan.spec.isAbsorbed()) {
        cpu::absorbValues(
            m_plan, m_weights[m_tensors.values].data(), m_sums.data(), m_mixed.data(), m_threads);
    }
}

const float* LatentCore::mixed() const
{
    return m_plan.spec.isAbsorbed() ? m_mixed.data() : m_sums.data();
}

void LatentCore::project(float* y)
{
    absorbValues();
    m_toOutput.run(mixed(), y, m_plan.tokens, m_threads);
}

CoreInput LatentCore::coreInput(const MixerInput& input) const
{
    const LatentPlan& n = m_plan;
    const float* cachedKeys = input.cachedKeys.data();
    const std::int64_t latentRow = n.rank + n.rope;
    if (n.spec.isAbsorbed()) {
        const KeyRows latents{.cached = {cachedKeys, latentRow, 0},
                              .fresh = {m_latents.data(), n.rank, 0},
                              .width = n.rank};
        return {.queries = {m_absorbed.data(), n.heads * n.keyDim()},
                .keys = latents,
                .sharedKeys = {.cached = {cachedKeys + n.rank, latentRow, 0},
                               .fresh = {m_ropeKeys.data(), n.rope, 0},
                               .width = n.rope},
                .values = latents};
    }
    const std::int64_t keyRow = n.heads * n.nope;
    const std::int64_t valueRow = n.heads * n.value;
    const bool latents = n.spec.cachesLatents();
    const HeadRows keys = latents ? HeadRows{m_cachedKeys.data(), keyRow, n.nope}
                                  : HeadRows{cachedKeys, keyRow + n.rope, n.nope};
    const HeadRows ropeKeys = latents ? HeadRows{cachedKeys + n.rank, latentRow, 0}
                                      : HeadRows{cachedKeys + keyRow, keyRow + n.rope, 0};
    const float* values = latents ? m_cachedValues.data() : input.cachedValues.data();
    return {.queries = {m_q.data(), n.heads * n.keyDim()},
            .keys = {.cached = keys, .fresh = {m_keys.data(), keyRow, n.nope}, .width = n.nope},
            .sharedKeys = {.cached = ropeKeys,
                           .fresh = {m_ropeKeys.data(), n.rope, 0},
                           .width = n.rope},
            .values = {.cached = {values, valueRow, n.value},
                       .fresh = {m_values.data(), valueRow, n.value},
                       .width = n.value}};
}

} // namespace flopsmith::cpu
