// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/gradient_output.h"
#include "core/kernels/cpu/linear/linear_backward.h"
#include "core/kernels/cpu/mixer/attention/attention_heads.h"
#include "core/kernels/cpu/mixer/attention/attention_norm.h"
#include "core/kernels/cpu/mixer/attention/attention_steps_backward.h"
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

// The gradients that one part of a key head's tiles sums: where each begins, in floats.
struct PartPlaces
{
    std::int64_t values;
    std::int64_t biases;
    std::int64_t sinks;
    std::int64_t end;

    PartPlaces(const AttentionPlan& plan, std::int64_t learnedOffsets, bool hasSinks)
        : values(plan.keys * plan.headDim)
        , biases(2 * values)
        , sinks(biases + plan.sharers() * learnedOffsets)
        , end(sinks + (hasSinks ? plan.sharers() : 0))
    {}
};

std::size_t rowCount(const AttentionPlan& plan)
{
    return static_cast<std::size_t>(plan.batch * plan.heads * plan.queries);
}

std::size_t scoreFloats(const Attention& attention, const AttentionPlan& plan)
{
    return keepsScores(attention) ? rowCount(plan) * static_cast<std::size_t>(plan.keys) : 0;
}

// Rows whose maximum and total the forward pass keeps.
std::size_t keptRows(const Attention& attention, const AttentionPlan& plan)
{
    return keepsScores(attention) && !attention.sinks ? 0 : rowCount(plan);
}

class AttentionBackwardKernel : public Kernel
{
public:
    AttentionBackwardKernel(const Attention& attention,
                            const Shape& shape,
                            WeightView<float> w,
                            std::span<const float> x,
                            std::span<const float> dy,
                            Threads threads,
                            Precision precision)
        : m_core(attention, shape, w, threads, precision, KeptFor::backward)
        , m_places(attention)
        , m_x(x)
        , m_dy(dy)
        , m_threads(threads)
        , m_tokens(static_cast<std::int64_t>(shape.tokens()))
        , m_parts(partsPerHead(plan(), threads))
        , m_partPlaces(plan(), steps().learns() ? steps().offsets() : 0, attention.sinks)
        , m_output(shape.activations(), flopsmith::weights(attention, shape.dModel))
        , m_qkvBack(shape.dModel,
                    plan().rowWidth(),
                    w[0].data(),
                    m_output.gradients()[0],
                    gradientAt(m_places.qkvBias))
        , m_outBack(plan().heads * plan().headDim,
                    shape.dModel,
                    w[m_places.out].data(),
                    gradientAt(m_places.out),
                    gradientAt(m_places.outBias))
        , m_qkNorm(attention, plan(), w, m_output.gradients(), threads)
        , m_maxima(keptRows(attention, plan()))
        , m_totals(keptRows(attention, plan()))
        , m_dScores(scoreFloats(attention, plan()))
        , m_dMixed(static_cast<std::size_t>(m_tokens * plan().heads * plan().headDim))
        , m_dQkv(static_cast<std::size_t>(m_tokens * plan().rowWidth()))
        , m_headGradients(static_cast<std::size_t>(units() * m_partPlaces.end))
        , m_scratch(tileBackwardScratch(plan()) * static_cast<std::size_t>(threads.count))
    {
        m_qkvBack.computedIn(precision);
        m_outBack.computedIn(precision);
        m_core.mix({.x = x, .cachedKeys = {}, .cachedValues = {}}, softmaxRows());
        if (attention.normalisesQk()) { // m_dQkv is free until the first run
            m_core.projectQkv(x.data(), m_dQkv.data());
            m_qkNorm.remember(m_dQkv.data());
        }
    }

    void run() override
    {
        m_outBack.weights(m_core.mixed(), m_dy.data(), m_tokens, m_threads);
        m_outBack.input(m_dy.data(), m_dMixed.data(), m_tokens, m_threads);
        shareOut(m_core.busyThreads(), units(), [this](std::int64_t unit, int /*thread*/) {
            std::fill_n(headGradients(unit).keys, m_partPlaces.end, 0.0F);
        });
        if (m_dScores.size() == 0) {
            forEachTile([this](const AttentionTile& tile, float* scratch, const HeadGradients& g) {
                flashTileBackward(tile,
                                  plan(),
                                  steps(),
                                  softmaxRows(),
                                  m_core.mixed(),
                                  m_dMixed.data(),
                                  scratch,
                                  g,
                                  m_dQkv.data());
            });
        } else {
            runMaterialised();
        }
        collectTokens();
        collectHeads();
        m_qkNorm.run(m_dQkv.data());
        m_qkvBack.weights(m_x.data(), m_dQkv.data(), m_tokens, m_threads);
        m_qkvBack.input(m_dQkv.data(), m_output.input(), m_tokens, m_threads);
    }

    std::span<const float> output() const override { return m_output.span(); }

    std::size_t workspaceBytes() const override
    {
        return m_core.workspaceBytes() + m_maxima.bytes() + m_totals.bytes() + m_dScores.bytes()
            + m_dMixed.bytes() + m_dQkv.bytes() + m_headGradients.bytes() + m_scratch.bytes()
            + m_qkNorm.workspaceBytes();
    }

private:
    const AttentionPlan& plan() const { return m_core.plan(); }
    const ScoreSteps& steps() const { return m_core.steps(); }
    std::int64_t units() const { return plan().batch * plan().kvHeads * m_parts; }

    std::span<float> gradientAt(std::size_t place) const
    {
        return place == 0 ? std::span<float>() : m_output.gradients()[place];
    }

    SoftmaxRows softmaxRows()
    {
        return m_maxima.size() == 0 ? SoftmaxRows{} : SoftmaxRows{m_maxima.data(), m_totals.data()};
    }

    HeadGradients headGradients(std::int64_t unit)
    {
        float* first = m_headGradients.data() + unit * m_partPlaces.end;
        return {.keys = first,
                .values = first + m_partPlaces.values,
                .biases = steps().learns() ? first + m_partPlaces.biases : nullptr,
                .sinks = steps().sinks() != nullptr ? first + m_partPlaces.sinks : nullptr};
    }

    void runMaterialised()
    {
        forEachTile([this](const AttentionTile& tile, float* scratch, const HeadGradients& g) {
            weightedSumBackward(
                tile, plan(), m_core.scores(), m_dMixed.data(), scratch, m_dScores.data(), g);
        });
        forEachTile([this](const AttentionTile& tile, float*, const HeadGradients& g) {
            softmaxBackward(
                tile, plan(), steps(), softmaxRows(), m_core.scores(), g, m_dScores.data());
        });
        if (steps().caps() || steps().learns()) {
            forEachTile([this](const AttentionTile& tile, float*, const HeadGradients& g) {
                scoreStepsBackward(tile, plan(), steps(), m_core.tanhs(), g, m_dScores.data());
            });
        }
        forEachTile([this](const AttentionTile& tile, float* scratch, const HeadGradients& g) {
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
                step(
                    AttentionTile(plan(), input, head * perHead + i), scratch, headGradients(unit));
            }
        });
    }

    // Sums the parts to their places in dQkv, and turns queries and keys back.
    void collectTokens()
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
            const HeadGradients first = headGradients(unit);
            std::copy_n(first.keys + inSequence * h, h, key);
            std::copy_n(first.values + inSequence * h, h, value);
            for (std::int64_t part = 1; part < m_parts; ++part) {
                const HeadGradients more = headGradients(unit + part);
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

    // Sums the parts' gradients of biases and sinks. Heads stand in the order of their units.
    void collectHeads()
    {
        const std::span<float> table = gradientAt(m_places.relativeBias);
        const std::span<float> sinks = gradientAt(m_places.sinks);
        std::fill(table.begin(), table.end(), 0.0F);
        std::fill(sinks.begin(), sinks.end(), 0.0F);
        for (std::int64_t unit = 0; unit < units(); ++unit) {
            const HeadGradients from = headGradients(unit);
            const std::int64_t kvHead = unit / m_parts % plan().kvHeads;
            for (std::int64_t i = 0; i < plan().sharers(); ++i) {
                const std::int64_t head = kvHead * plan().sharers() + i;
                if (!table.empty()) {
                    steps().addToTable(head, from.biases + i * steps().offsets(), table);
                }
                if (!sinks.empty()) {
                    sinks[static_cast<std::size_t>(head)] += from.sinks[i];
                }
            }
        }
    }

    AttentionHeads m_core;
    AttentionTensors m_places;
    std::span<const float> m_x;
    std::span<const float> m_dy;
    Threads m_threads;
    std::int64_t m_tokens;
    std::int64_t m_parts; ///< per key head
    PartPlaces m_partPlaces;
    GradientOutput m_output;
    LinearBackward m_qkvBack;
    LinearBackward m_outBack;
    QkNormBackward m_qkNorm;
    Buffer m_maxima; ///< of each row; flash, or sinks
    Buffer m_totals;
    Buffer m_dScores; ///< materialised only
    Buffer m_dMixed; ///< [T, H·h]
    Buffer m_dQkv; ///< [T, q | k | v]
    Buffer m_headGradients; ///< per unit, see PartPlaces
    Buffer m_scratch; ///< of one tile, per thread
};

} // namespace

Result<std::unique_ptr<Kernel>> prepareBackward(const Attention& mixer,
                                                const Shape& shape,
                                                WeightView<float> weights,
                                                std::span<const float> x,
                                                std::span<const float> dy,
                                                Threads threads,
                                                Precision precision)
{
    return prepared(Attention::info().title, threads, [&]() -> Result<std::unique_ptr<Kernel>> {
        return std::unique_ptr<Kernel>(std::make_unique<AttentionBackwardKernel>(
            mixer, shape, weights, x, dy, threads, precision));
    });
}

Count backwardWorkspaceBytes(const Attention& mixer, const Shape& shape, Threads threads)
{
    const AttentionPlan plan(mixer, shape);
    const Count tokens = static_cast<Count>(shape.tokens());
    const Count rows = tokens * plan.heads;
    const Count kept = 2 * static_cast<Count>(keptRows(mixer, plan));
    const Count scores = keepsScores(mixer) ? rows * plan.keys : 0;
    const Count perToken = plan.rowWidth() + plan.heads * plan.headDim;
    const Count units = Count{plan.batch} * plan.kvHeads * partsPerHead(plan, threads);
    const std::int64_t learned = mixer.readsBiasTable() ? visibleOffsets(mixer, plan).size() : 0;
    const Count summed = units * PartPlaces(plan, learned, mixer.sinks).end;
    const Count scratch = static_cast<Count>(tileBackwardScratch(plan)) * threads.count;
    const Count floats = kept + scores + tokens * perToken + summed + scratch;
    return attentionHeadsBytes(mixer, shape, threads, Precision::float32, KeptFor::backward)
        + qkNormBackwardBytes(mixer, plan, threads) + Count{sizeof(float)} * floats;
}

} // namespace flopsmith::cpu
