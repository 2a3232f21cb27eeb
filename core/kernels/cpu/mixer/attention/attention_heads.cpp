// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/attention/attention_heads.h"

#include "core/kernels/cpu/mixer/attention/attention_flash.h"
#include "core/kernels/cpu/mixer/attention/attention_norm.h"

namespace flopsmith::cpu {
namespace {

// The backward pass walks through the same tiles, and keeps more of each.
AttentionPlan planOf(const Attention& attention, const Shape& shape, KeptFor keptFor)
{
    AttentionPlan plan(attention, shape);
    if (keptFor == KeptFor::nobody && !keepsScores(attention)) {
        plan.mostTileRows = flashTileRows(plan);
    }
    return plan;
}

std::size_t scoreElements(const Attention& attention, const AttentionPlan& plan)
{
    return keepsScores(attention) ? static_cast<std::size_t>(plan.batch * plan.heads * plan.queries)
            * static_cast<std::size_t>(plan.keys)
                                  : 0;
}

std::size_t tanhElements(const Attention& attention, const AttentionPlan& plan, KeptFor keptFor)
{
    return attention.hasSoftCap() && keptFor == KeptFor::backward ? scoreElements(attention, plan)
                                                                  : 0;
}

std::size_t scratchOf(const Attention& attention, const AttentionPlan& plan)
{
    return keepsScores(attention) ? tileScratch(plan) : flashScratch(plan);
}

int turnedFeatures(const Attention& attention, const Shape& shape)
{
    return attention.rotary ? attention.rotaryFeatures(shape.dModel) : 0;
}

bool decodes(const Attention& attention, const AttentionPlan& plan)
{
    return DecodeCore::serves(plan) && !keepsScores(attention);
}

Linear linearFrom(std::int64_t in,
                  std::int64_t out,
                  WeightView<float> weights,
                  std::size_t weight,
                  std::size_t bias)
{
    return {in, out, weights[weight].data(), bias == 0 ? nullptr : weights[bias].data()};
}

} // namespace

AttentionHeads::AttentionHeads(const Attention& attention,
                             const Shape& shape,
                             WeightView<float> w,
                             Threads threads,
                             Precision precision,
                             KeptFor keptFor)
    : m_attention(attention)
    , m_plan(planOf(attention, shape, keptFor))
    , m_weights(w)
    , m_threads(threads)
    , m_tokens(static_cast<std::int64_t>(shape.tokens()))
    , m_toQkv(
          linearFrom(shape.dModel, m_plan.rowWidth(), w, 0, AttentionTensors(attention).qkvBias))
    , m_toOutput(linearFrom(m_plan.heads * m_plan.headDim,
                            shape.dModel,
                            w,
                            AttentionTensors(attention).out,
                            AttentionTensors(attention).outBias))
    , m_rotary(m_plan, turnedFeatures(attention, shape))
    , m_steps(attention, m_plan, w)
    , m_qkv(static_cast<std::size_t>(m_tokens * m_plan.rowWidth()))
    , m_scores(scoreElements(attention, m_plan))
    , m_tanhs(tanhElements(attention, m_plan, keptFor))
    , m_mixed(static_cast<std::size_t>(m_tokens * m_plan.heads * m_plan.headDim))
    , m_scratch(scratchOf(attention, m_plan) * static_cast<std::size_t>(threads.count))
{
    m_toQkv.computedIn(precision);
    m_toOutput.computedIn(precision);
    if (keptFor == KeptFor::nobody) { // the backward pass multiplies by the transposed matrices
        m_toQkv.packed(m_tokens, threads);
        m_toOutput.packed(m_tokens, threads);
        if (decodes(attention, m_plan)) {
            m_decode.emplace(m_plan, threads);
        }
    }
}

void AttentionHeads::mix(const MixerInput& input, const SoftmaxRows& kept)
{
    projectQkv(input.x.data(), m_qkv.data());
    if (m_attention.normalisesQk()) {
        normaliseAll();
    }
    if (m_rotary.present()) {
        rotateAll();
    }
    m_steps.lookUp();
    if (m_decode) {
        m_decode->run({m_qkv.data(), input.cachedKeys.data(), input.cachedValues.data()},
                      m_steps,
                      busyThreads(),
                      m_mixed.data());
    } else if (m_scores.size() == 0) {
        forEachTile(input, [&](const AttentionTile& tile, float* scratch) {
            flashTile(tile, m_plan, m_steps, scratch, m_mixed.data(), kept);
        });
    } else {
        attendMaterialised(input, kept);
    }
}

void AttentionHeads::projectQkv(const float* x, float* qkv) const
{
    m_toQkv.run(x, qkv, m_tokens, m_threads);
}

void AttentionHeads::project(float* y) const
{
    m_toOutput.run(m_mixed.data(), y, m_tokens, m_threads);
}

Threads AttentionHeads::busyThreads() const
{
    return worthwhile(m_threads, m_tokens * m_plan.keys * m_plan.heads * m_plan.headDim);
}

std::size_t AttentionHeads::workspaceBytes() const
{
    return m_rotary.bytes() + m_steps.bytes() + m_qkv.bytes() + m_scores.bytes() + m_tanhs.bytes()
        + m_mixed.bytes() + m_scratch.bytes() + m_toQkv.packedBytes() + m_toOutput.packedBytes()
        + (m_decode ? m_decode->bytes() : 0);
}

// Calls step(tokens) with a share of the tokens on every thread.
template <class Step>
void AttentionHeads::forEachToken(const Step& step)
{
    const Threads busy = worthwhile(m_threads, m_tokens * m_plan.rowWidth());
    onThreads(busy, [&](int part) { step(partOf(m_tokens, busy.count, part)); });
}

void AttentionHeads::normaliseAll()
{
    forEachToken([this](Range tokens) {
        normaliseQk(m_attention, m_plan, m_weights, tokens, m_qkv.data());
    });
}

// Queries and new keys stand first in each row q | k | v.
void AttentionHeads::rotateAll()
{
    forEachToken([this](Range tokens) {
        const std::int64_t heads = m_plan.heads + m_plan.kvHeads;
        for (std::int64_t t = tokens.first; t < tokens.last; ++t) {
            float* row = m_qkv.data() + t * m_plan.rowWidth();
            for (std::int64_t head = 0; head < heads; ++head) {
                m_rotary.rotate(row + head * m_plan.headDim, t % m_plan.queries);
            }
        }
    });
}

void AttentionHeads::attendMaterialised(const MixerInput& input, const SoftmaxRows& kept)
{
    forEachTile(input, [this](const AttentionTile& tile, float* scratch) {
        writeScores(tile, m_plan, scratch, m_scores.data());
    });
    if (m_steps.present()) {
        float* tanhs = m_tanhs.size() == 0 ? nullptr : m_tanhs.data();
        forEachTile(input, [this, tanhs](const AttentionTile& tile, float* /*scratch*/) {
            finishScores(tile, m_plan, m_steps, m_scores.data(), tanhs);
        });
    }
    forEachTile(input, [this, &kept](const AttentionTile& tile, float* /*scratch*/) {
        turnIntoWeights(tile, m_plan, m_steps, m_scores.data(), kept);
    });
    forEachTile(input, [this](const AttentionTile& tile, float* scratch) {
        sumValues(tile, m_plan, scratch, m_scores.data(), m_mixed.data());
    });
}

template <class Step>
void AttentionHeads::forEachTile(const MixerInput& input, const Step& step)
{
    const AttentionInput from{m_qkv.data(), input.cachedKeys.data(), input.cachedValues.data()};
    shareOut(busyThreads(), m_plan.tiles(), [&](std::int64_t index, int thread) {
        float* scratch =
            m_scratch.data() + static_cast<std::size_t>(thread) * scratchOf(m_attention, m_plan);
        step(AttentionTile(m_plan, from, index), scratch);
    });
}

Count attentionHeadsBytes(const Attention& attention,
                         const Shape& shape,
                         Threads threads,
                         Precision precision,
                         KeptFor keptFor)
{
    const AttentionPlan plan = planOf(attention, shape, keptFor);
    const Count tokens = static_cast<Count>(shape.tokens());
    const Count perToken = plan.rowWidth() + plan.heads * plan.headDim;
    const Count rotary = plan.queries * Count{turnedFeatures(attention, shape) / 2} * 2;
    const Count scores = keepsScores(attention) ? tokens * plan.heads * plan.keys : 0;
    const bool keepsTanhs = attention.hasSoftCap() && keptFor == KeptFor::backward;
    const Count tanhs = keepsTanhs ? scores : 0;
    const Count scratch = static_cast<Count>(scratchOf(attention, plan)) * threads.count;
    const auto packedBytes = [&](std::int64_t in, std::int64_t out) {
        return Linear::packedBytes(
            in, out, static_cast<std::int64_t>(shape.tokens()), threads, precision);
    };
    const Count packed = keptFor == KeptFor::nobody ? packedBytes(shape.dModel, plan.rowWidth())
            + packedBytes(plan.heads * plan.headDim, shape.dModel)
                                                    : 0;
    const Count decode = keptFor == KeptFor::nobody && decodes(attention, plan)
        ? DecodeCore::bytesFor(plan, threads)
        : 0;
    return scoreStepsBytes(attention, plan) + packed + decode
        + Count{sizeof(float)} * (tokens * perToken + rotary + scores + tanhs + scratch);
}

} // namespace flopsmith::cpu
