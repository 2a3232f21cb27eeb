// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/attention_tile.h"
#include "core/kernels/cpu/buffer.h"
#include "core/kernels/cpu/linear.h"
#include "core/kernels/cpu/mixer.h"
#include "core/kernels/cpu/preparation.h"

#include <cmath>

namespace flopsmith::cpu {
namespace {

// Cosines and sines of the new tokens' positions: [S, h/2] each.
class RotaryTable
{
public:
    RotaryTable(const AttentionPlan& plan, bool rotary)
        : m_half(rotary ? plan.headDim / 2 : 0)
        , m_cos(static_cast<std::size_t>(plan.queries * m_half))
        , m_sin(static_cast<std::size_t>(plan.queries * m_half))
    {
        for (std::int64_t i = 0; i < plan.queries * m_half; ++i) {
            const auto position = static_cast<int>(plan.cached() + i / m_half);
            const double angle =
                rotaryAngle(position, static_cast<int>(i % m_half), static_cast<int>(plan.headDim));
            m_cos.data()[i] = static_cast<float>(std::cos(angle));
            m_sin.data()[i] = static_cast<float>(std::sin(angle));
        }
    }

    bool present() const { return m_half > 0; }

    /// One head of the query-th new token.
    void rotate(float* head, std::int64_t query) const
    {
        const float* cosines = m_cos.data() + query * m_half;
        const float* sines = m_sin.data() + query * m_half;
        float* high = head + m_half;
        for (std::int64_t i = 0; i < m_half; ++i) {
            const float first = head[i];
            const float second = high[i];
            head[i] = first * cosines[i] - second * sines[i];
            high[i] = second * cosines[i] + first * sines[i];
        }
    }

    std::size_t bytes() const { return m_cos.bytes() + m_sin.bytes(); }

private:
    std::int64_t m_half;
    Buffer m_cos;
    Buffer m_sin;
};

std::size_t scoreElements(const Attention& attention, const AttentionPlan& plan)
{
    return attention.algorithm == AttentionAlgorithm::materialised
        ? static_cast<std::size_t>(plan.batch * plan.heads * plan.queries)
            * static_cast<std::size_t>(plan.keys)
        : 0;
}

const float* biasOf(bool present, WeightView<float> weights, std::size_t i)
{
    return present ? weights[i].data() : nullptr;
}

class AttentionKernel : public Kernel
{
public:
    AttentionKernel(const Attention& attention,
                    const Shape& shape,
                    WeightView<float> w,
                    const MixerInput& input,
                    Threads threads)
        : m_plan(attention, shape)
        , m_input(input)
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
        , m_y(shape.activations())
    {}

    void run() override
    {
        m_toQkv.run(m_input.x.data(), m_qkv.data(), m_tokens, m_threads);
        if (m_rotary.present()) {
            rotateAll();
        }
        if (m_scores.size() == 0) {
            forEachTile([this](const AttentionTile& tile, float* scratch) {
                flashTile(tile, m_plan, scratch, m_mixed.data());
            });
        } else {
            attendMaterialised();
        }
        m_toOutput.run(m_mixed.data(), m_y.data(), m_tokens, m_threads);
    }

    std::span<const float> output() const override { return m_y.span(); }

    std::size_t workspaceBytes() const override
    {
        return m_rotary.bytes() + m_qkv.bytes() + m_scores.bytes() + m_mixed.bytes()
            + m_scratch.bytes();
    }

private:
    // Queries and new keys stand first in each row q | k | v.
    void rotateAll()
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

    void attendMaterialised()
    {
        forEachTile([this](const AttentionTile& tile, float* scratch) {
            writeScores(tile, m_plan, scratch, m_scores.data());
        });
        forEachTile([this](const AttentionTile& tile, float* /*scratch*/) {
            turnIntoWeights(tile, m_plan, m_scores.data());
        });
        forEachTile([this](const AttentionTile& tile, float* scratch) {
            sumValues(tile, m_plan, scratch, m_scores.data(), m_mixed.data());
        });
    }

    template <class Step>
    void forEachTile(const Step& step)
    {
        const AttentionInput input{
            m_qkv.data(), m_input.cachedKeys.data(), m_input.cachedValues.data()};
        const Threads busy =
            worthwhile(m_threads, m_tokens * m_plan.keys * m_plan.heads * m_plan.headDim);
        shareOut(busy, m_plan.tiles(), [&](std::int64_t index, int thread) {
            float* scratch =
                m_scratch.data() + static_cast<std::size_t>(thread) * tileScratch(m_plan);
            step(AttentionTile(m_plan, input, index), scratch);
        });
    }

    AttentionPlan m_plan;
    MixerInput m_input;
    Threads m_threads;
    std::int64_t m_tokens;
    Linear m_toQkv;
    Linear m_toOutput;
    RotaryTable m_rotary;
    Buffer m_qkv; ///< [T, q | k | v]
    Buffer m_scores; ///< materialised only
    Buffer m_mixed; ///< [T, H·h]
    Buffer m_scratch; ///< of one tile, per thread
    Buffer m_y;
};

} // namespace

Result<std::unique_ptr<Kernel>> prepare(const Attention& mixer,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        const MixerInput& input,
                                        Threads threads)
{
    return prepared(Attention::info().title, threads, [&]() -> Result<std::unique_ptr<Kernel>> {
        return std::unique_ptr<Kernel>(
            std::make_unique<AttentionKernel>(mixer, shape, weights, input, threads));
    });
}

Count workspaceBytes(const Attention& mixer, const Shape& shape, Threads threads)
{
    const AttentionPlan plan(mixer, shape);
    const Count tokens = static_cast<Count>(shape.tokens());
    const Count perToken = plan.rowWidth() + plan.heads * plan.headDim;
    const Count rotary = mixer.rotary ? plan.queries * (plan.headDim / 2) * 2 : 0;
    const Count scores =
        mixer.algorithm == AttentionAlgorithm::materialised ? tokens * plan.heads * plan.keys : 0;
    const Count scratch = static_cast<Count>(tileScratch(plan)) * threads.count;
    return Count{sizeof(float)} * (tokens * perToken + rotary + scores + scratch);
}

} // namespace flopsmith::cpu
