// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/attention_core.h"
#include "core/kernels/cpu/attention_steps_backward.h"
#include "core/kernels/cpu/gradient_output.h"
#include "core/kernels/cpu/linear_backward.h"
#include "core/kernels/cpu/preparation.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

// How the tiles of one key head are shared among threads. Each part sums the gradients of keys and
// values by itself, so that every sum has one order.
std::int64_t partsPerHead(const AttentionPlan& plan, Threads threads)
{
    const std::int64_t heads = plan.batch * plan.kvHeads;
    if (threads.count == 1 || heads % threads.count == 0) {
        return 1;
    }
    const std::int64_t wanted = (std::int64_t{4} * threads.count + heads - 1) / heads;
    return std::clamp(wanted, std::int64_t{1}, plan.tilesPerSequence());
}

std::size_t partFloats(const AttentionPlan& plan)
{
    return static_cast<std::size_t>(2 * plan.keys * plan.headDim);
}

std::size_t rowCount(const AttentionPlan& plan)
{
    return static_cast<std::size_t>(plan.batch * plan.heads * plan.queries);
}

std::size_t scoreFloats(const Attention& attention, const AttentionPlan& plan)
{
    return keepsScores(attention) ? rowCount(plan) * static_cast<std::size_t>(plan.keys) : 0;
}

std::size_t keptRows(const Attention& attention, const AttentionPlan& plan)
{
    return keepsScores(attention) ? 0 : rowCount(plan);
}

class AttentionBackwardKernel : public Kernel
{
public:
    AttentionBackwardKernel(const Attention& attention,
                            const Shape& shape,
                            WeightView<float> w,
                            std::span<const float> x,
                            std::span<const float> dy,
                            Threads threads)
        : m_core(attention, shape, w, threads)
        , m_x(x)
        , m_dy(dy)
        , m_threads(threads)
        , m_tokens(static_cast<std::int64_t>(shape.tokens()))
        , m_parts(partsPerHead(plan(), threads))
        , m_output(shape.activations(), flopsmith::weights(attention, shape.dModel))
        , m_qkvBack(shape.dModel,
                    plan().rowWidth(),
                    w[0].data(),
                    m_output.gradients()[0],
                    attention.qkvBias ? m_output.gradients()[1] : std::span<float>())
        , m_outBack(plan().heads * plan().headDim,
                    shape.dModel,
                    w[attention.qkvBias ? 2 : 1].data(),
                    m_output.gradients()[attention.qkvBias ? 2 : 1],
                    attention.outBias ? m_output.gradients().back() : std::span<float>())
        , m_maxima(keptRows(attention, plan()))
        , m_totals(keptRows(attention, plan()))
        , m_dScores(scoreFloats(attention, plan()))
        , m_dMixed(static_cast<std::size_t>(m_tokens * plan().heads * plan().headDim))
        , m_dQkv(static_cast<std::size_t>(m_tokens * plan().rowWidth()))
        , m_keyGradients(static_cast<std::size_t>(units()) * partFloats(plan()))
        , m_scratch(tileBackwardScratch(plan()) * static_cast<std::size_t>(threads.count))
    {
        const bool flash = m_dScores.size() == 0;
        m_core.mix({.x = x, .cachedKeys = {}, .cachedValues = {}},
                   flash ? SoftmaxRows{m_maxima.data(), m_totals.data()} : SoftmaxRows{});
    }

    void run() override
    {
        m_outBack.weights(m_core.mixed(), m_dy.data(), m_tokens, m_threads);
        m_outBack.input(m_dy.data(), m_dMixed.data(), m_tokens, m_threads);
        shareOut(m_core.busyThreads(), units(), [this](std::int64_t unit, int /*thread*/) {
            std::fill_n(keyGradients(unit).keys, partFloats(plan()), 0.0F);
        });
        if (m_dScores.size() == 0) {
            forEachTile([this](const AttentionTile& tile, float* scratch, const KeyGradients& g) {
                flashTileBackward(tile,
                                  plan(),
                                  {m_maxima.data(), m_totals.data()},
                                  m_core.mixed(),
                                  m_dMixed.data(),
                                  scratch,
                                  g,
                                  m_dQkv.data());
            });
        } else {
            runMaterialised();
        }
        collectKeyGradients();
        m_qkvBack.weights(m_x.data(), m_dQkv.data(), m_tokens, m_threads);
        m_qkvBack.input(m_dQkv.data(), m_output.input(), m_tokens, m_threads);
    }

    std::span<const float> output() const override { return m_output.span(); }

    std::size_t workspaceBytes() const override
    {
        return m_core.workspaceBytes() + m_maxima.bytes() + m_totals.bytes() + m_dScores.bytes()
            + m_dMixed.bytes() + m_dQkv.bytes() + m_keyGradients.bytes() + m_scratch.bytes();
    }

private:
    const AttentionPlan& plan() const { return m_core.plan(); }
    std::int64_t units() const { return plan().batch * plan().kvHeads * m_parts; }

    // [S, h] of keys, then of values.
    KeyGradients keyGradients(std::int64_t unit)
    {
        float* first = m_keyGradients.data() + static_cast<std::size_t>(unit) * partFloats(plan());
        return {first, first + plan().keys * plan().headDim};
    }

    void runMaterialised()
    {
        forEachTile([this](const AttentionTile& tile, float* scratch, const KeyGradients& g) {
            weightedSumBackward(
                tile, plan(), m_core.scores(), m_dMixed.data(), scratch, m_dScores.data(), g);
        });
        forEachTile([this](const AttentionTile& tile, float*, const KeyGradients&) {
            softmaxBackward(tile, plan(), m_core.scores(), m_dScores.data());
        });
        forEachTile([this](const AttentionTile& tile, float* scratch, const KeyGradients& g) {
            scoresBackward(tile, plan(), m_dScores.data(), scratch, g, m_dQkv.data());
        });
    }

    // Every m_parts-th tile of a key head is one unit of work: neighbours cost about the same.
    template <class Step>
    void forEachTile(const Step& step)
    {
        const AttentionInput input{m_core.qkv(), nullptr, nullptr};
        const std::int64_t perHead = plan().tilesPerSequence();
        shareOut(m_core.busyThreads(), units(), [&](std::int64_t unit, int thread) {
            float* scratch =
                m_scratch.data() + static_cast<std::size_t>(thread) * tileBackwardScratch(plan());
            const std::int64_t head = unit / m_parts;
            for (std::int64_t i = unit % m_parts; i < perHead; i += m_parts) {
                step(AttentionTile(plan(), input, head * perHead + i), scratch, keyGradients(unit));
            }
        });
    }

    // Sums the parts to their places in dQkv, and turns queries and keys back.
    void collectKeyGradients()
    {
        const Threads busy = worthwhile(m_threads, m_tokens * plan().rowWidth());
        onThreads(busy, [this, busy](int part) {
            const Range mine = partOf(m_tokens, busy.count, part);
            for (std::int64_t t = mine.first; t < mine.last; ++t) {
                collectToken(t);
            }
        });
    }

    void collectToken(std::int64_t token)
    {
        const std::int64_t h = plan().headDim;
        float* row = m_dQkv.data() + token * plan().rowWidth();
        const std::int64_t inSequence = token % plan().queries;
        for (std::int64_t head = 0; head < plan().kvHeads; ++head) {
            float* key = row + (plan().heads + head) * h;
            float* value = key + plan().kvHeads * h;
            const std::int64_t unit = (token / plan().queries * plan().kvHeads + head) * m_parts;
            const KeyGradients first = keyGradients(unit);
            std::copy_n(first.keys + inSequence * h, h, key);
            std::copy_n(first.values + inSequence * h, h, value);
            for (std::int64_t part = 1; part < m_parts; ++part) {
                const KeyGradients more = keyGradients(unit + part);
                for (std::int64_t c = 0; c < h; ++c) {
                    key[c] += more.keys[inSequence * h + c];
                    value[c] += more.values[inSequence * h + c];
                }
            }
        }
        const std::int64_t turned = m_core.rotary().present() ? plan().heads + plan().kvHeads : 0;
        for (std::int64_t head = 0; head < turned; ++head) {
            m_core.rotary().rotateBack(row + head * h, inSequence);
        }
    }

    AttentionCore m_core;
    std::span<const float> m_x;
    std::span<const float> m_dy;
    Threads m_threads;
    std::int64_t m_tokens;
    std::int64_t m_parts; ///< per key head
    GradientOutput m_output;
    LinearBackward m_qkvBack;
    LinearBackward m_outBack;
    Buffer m_maxima; ///< of each row; flash only
    Buffer m_totals;
    Buffer m_dScores; ///< materialised only
    Buffer m_dMixed; ///< [T, H·h]
    Buffer m_dQkv; ///< [T, q | k | v]
    Buffer m_keyGradients; ///< per unit
    Buffer m_scratch; ///< of one tile, per thread
};

} // namespace

Result<std::unique_ptr<Kernel>> prepareBackward(const Attention& mixer,
                                                const Shape& shape,
                                                WeightView<float> weights,
                                                std::span<const float> x,
                                                std::span<const float> dy,
                                                Threads threads)
{
    return prepared(Attention::info().title, threads, [&]() -> Result<std::unique_ptr<Kernel>> {
        return std::unique_ptr<Kernel>(
            std::make_unique<AttentionBackwardKernel>(mixer, shape, weights, x, dy, threads));
    });
}

Count backwardWorkspaceBytes(const Attention& mixer, const Shape& shape, Threads threads)
{
    const AttentionPlan plan(mixer, shape);
    const Count tokens = static_cast<Count>(shape.tokens());
    const Count rows = tokens * plan.heads;
    const Count kept = keepsScores(mixer) ? rows * plan.keys : 2 * rows;
    const Count perToken = plan.rowWidth() + plan.heads * plan.headDim;
    const Count units = Count{plan.batch} * plan.kvHeads * partsPerHead(plan, threads);
    const Count scratch = static_cast<Count>(tileBackwardScratch(plan)) * threads.count;
    const Count floats = kept + tokens * perToken + units * 2 * plan.keys * plan.headDim + scratch;
    return attentionCoreBytes(mixer, shape, threads) + Count{sizeof(float)} * floats;
}

} // namespace flopsmith::cpu
