// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/attention_core.h"

namespace flopsmith::cpu {
namespace {

std::size_t scoreElements(const Attention& attention, const AttentionPlan& plan)
{
    return keepsScores(attention) ? static_cast<std::size_t>(plan.batch * plan.heads * plan.queries)
            * static_cast<std::size_t>(plan.keys)
                                  : 0;
}

const float* biasOf(bool present, WeightView<float> weights, std::size_t i)
{
    return present ? weights[i].data() : nullptr;
}

} // namespace

AttentionCore::AttentionCore(const Attention& attention,
                             const Shape& shape,
                             WeightView<float> w,
                             Threads threads)
    : m_plan(attention, shape)
    , m_threads(threads)
    , m_tokens(static_cast<std::int64_t>(shape.tokens()))
    , m_toQkv(shape.dModel, m_plan.rowWidth(), w[0].data(), biasOf(attention.qkvBias, w, 1))
    , m_toOutput(m_plan.heads * m_plan.headDim,
                 shape.dModel,
                 w[attention.qkvBias ? 2 : 1].data(),
                 biasOf(attention.outBias, w, attention.qkvBias ? 3 : 2))
    , m_rotary(m_plan, attention.rotary)
    , m_qkv(static_cast<std::size_t>(m_tokens * m_plan.rowWidth()))
    , m_scores(scoreElements(attention, m_plan))
    , m_mixed(static_cast<std::size_t>(m_tokens * m_plan.heads * m_plan.headDim))
    , m_scratch(tileScratch(m_plan) * static_cast<std::size_t>(threads.count))
{}

void AttentionCore::mix(const MixerInput& input, const SoftmaxRows& kept)
{
    m_toQkv.run(input.x.data(), m_qkv.data(), m_tokens, m_threads);
    if (m_rotary.present()) {
        rotateAll();
    }
    if (m_scores.size() == 0) {
        forEachTile(input, [&](const AttentionTile& tile, float* scratch) {
            flashTile(tile, m_plan, scratch, m_mixed.data(), kept);
        });
    } else {
        attendMaterialised(input);
    }
}

void AttentionCore::project(float* y) const
{
    m_toOutput.run(m_mixed.data(), y, m_tokens, m_threads);
}

Threads AttentionCore::busyThreads() const
{
    return worthwhile(m_threads, m_tokens * m_plan.keys * m_plan.heads * m_plan.headDim);
}

std::size_t AttentionCore::workspaceBytes() const
{
    return m_rotary.bytes() + m_qkv.bytes() + m_scores.bytes() + m_mixed.bytes()
        + m_scratch.bytes();
}

// Queries and new keys stand first in each row q | k | v.
void AttentionCore::rotateAll()
{
    const Threads busy = worthwhile(m_threads, m_tokens * m_plan.rowWidth());
    onThreads(busy, [this, busy](int part) {
        const Range mine = partOf(m_tokens, busy.count, part);
        const std::int64_t heads = m_plan.heads + m_plan.kvHeads;
        for (std::int64_t t = mine.first; t < mine.last; ++t) {
            float* row = m_qkv.data() + t * m_plan.rowWidth();
            for (std::int64_t head = 0; head < heads; ++head) {
                m_rotary.rotate(row + head * m_plan.headDim, t % m_plan.queries);
            }
        }
    });
}

void AttentionCore::attendMaterialised(const MixerInput& input)
{
    forEachTile(input, [this](const AttentionTile& tile, float* scratch) {
        writeScores(tile, m_plan, scratch, m_scores.data());
    });
    forEachTile(input, [this](const AttentionTile& tile, float* /*scratch*/) {
        turnIntoWeights(tile, m_plan, m_scores.data());
    });
    forEachTile(input, [this](const AttentionTile& tile, float* scratch) {
        sumValues(tile, m_plan, scratch, m_scores.data(), m_mixed.data());
    });
}

template <class Step>
void AttentionCore::forEachTile(const MixerInput& input, const Step& step)
{
    const AttentionInput from{m_qkv.data(), input.cachedKeys.data(), input.cachedValues.data()};
    shareOut(busyThreads(), m_plan.tiles(), [&](std::int64_t index, int thread) {
        float* scratch = m_scratch.data() + static_cast<std::size_t>(thread) * tileScratch(m_plan);
        step(AttentionTile(m_plan, from, index), scratch);
    });
}

Count attentionCoreBytes(const Attention& attention, const Shape& shape, Threads threads)
{
    const AttentionPlan plan(attention, shape);
    const Count tokens = static_cast<Count>(shape.tokens());
    const Count perToken = plan.rowWidth() + plan.heads * plan.headDim;
    const Count rotary = attention.rotary ? plan.queries * (plan.headDim / 2) * 2 : 0;
    const Count scores = keepsScores(attention) ? tokens * plan.heads * plan.keys : 0;
    const Count scratch = static_cast<Count>(tileScratch(plan)) * threads.count;
    return Count{sizeof(float)} * (tokens * perToken + rotary + scores + scratch);
}

} // namespace flopsmith::cpu
