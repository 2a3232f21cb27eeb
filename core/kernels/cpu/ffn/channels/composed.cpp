// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/ffn/channels/gates.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/stage.h"
#include "core/kernels/cpu/threads/parallel.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

using Stages = std::vector<std::unique_ptr<Stage>>;

// Stages and gates, and how the outputs of the stages are combined.
class Composition
{
public:
    Composition(const ComposedFfn& ffn, int dModel, WeightView<float> weights, Stages stages)
        : m_parallel(ffn.mode == CompositionMode::parallel)
        , m_dModel(static_cast<std::size_t>(dModel))
        , m_gates(ffn, dModel, weights)
        , m_stages(std::move(stages))
    {}

    Stages& stages() { return m_stages; }
    const Stages& stages() const { return m_stages; }
    void updateGates() { m_gates.update(); }

    /// y of `tokens` from x. `runStage(stage, from, to)` runs a stage on them. In a parallel
    /// composition y collects the sum; in a sequential one it is z until the end.
    /// `term` [tokens, d] is scratch.
    template <class RunStage, class EachToken>
    void run(const float* x, float* y, float* term, const RunStage& runStage, const EachToken& each)
    {
        for (std::size_t s = 0; s < m_stages.size(); ++s) {
            const bool first = s == 0;
            runStage(*m_stages[s], m_parallel || first ? x : y, term);
            const float* base = !first ? y : (m_parallel ? nullptr : x);
            const bool difference = !m_parallel && s + 1 == m_stages.size();
            each([&, base, s, difference](std::size_t t) {
                const std::size_t at = t * m_dModel;
                gateRow(
                    m_gates, s, base == nullptr ? nullptr : base + at, term + at, y + at, m_dModel);
                if (difference) {
                    subtractRow(y + at, x + at, y + at, m_dModel);
                }
            });
        }
        if (m_stages.empty()) {
            each([&](std::size_t t) { std::fill_n(y + t * m_dModel, m_dModel, 0.0F); });
        }
    }

private:
    bool m_parallel;
    std::size_t m_dModel;
    Gates m_gates;
    Stages m_stages;
};

// All stages are TokenStages: each block of tokens goes through all of them before the next block.
class BlockwiseComposition : public TokenStage
{
public:
    BlockwiseComposition(const StageSize& size, Composition composition)
        : TokenStage(size)
        , m_composition(std::move(composition))
        , m_term(static_cast<std::size_t>(size.threads.count) * termSize())
    {}

    void begin() override
    {
        m_composition.updateGates();
        for (const auto& stage : m_composition.stages()) {
            stage->asTokenStage()->begin();
        }
    }

    void runBlock(const float* x, float* y, int tokens, int thread) override
    {
        m_composition.run(
            x,
            y,
            m_term.data() + static_cast<std::size_t>(thread) * termSize(),
            [&](Stage& stage, const float* from, float* to) {
                stage.asTokenStage()->runBlock(from, to, tokens, thread);
            },
            [&](const auto& combine) {
                for (std::size_t t = 0; t < static_cast<std::size_t>(tokens); ++t) {
                    combine(t);
                }
            });
    }

private:
    std::size_t termSize() const
    {
        return static_cast<std::size_t>(blockTokens()) * static_cast<std::size_t>(dModel());
    }

    Composition m_composition;
    Buffer m_term; ///< per thread
};

// Some stage needs all tokens at once (a matrix product): each stage runs on all tokens.
class WholeComposition : public Stage
{
public:
    WholeComposition(const StageSize& size, Composition composition)
        : m_size(size)
        , m_composition(std::move(composition))
        , m_term(static_cast<std::size_t>(size.activations()))
    {}

    void run(const float* x, float* y) override
    {
        m_composition.updateGates();
        m_composition.run(
            x,
            y,
            m_term.data(),
            [](Stage& stage, const float* from, float* to) { stage.run(from, to); },
            [&](const auto& combine) {
                onThreads(m_size.threads, [&](int part) {
                    const Range mine = partOf(m_size.tokens, m_size.threads.count, part);
                    for (std::int64_t t = mine.first; t < mine.last; ++t) {
                        combine(static_cast<std::size_t>(t));
                    }
                });
            });
    }

private:
    StageSize m_size;
    Composition m_composition;
    Buffer m_term;
};

} // namespace

Result<std::unique_ptr<Stage>> makeStage(const ComposedFfn& ffn,
                                         const StageSize& size,
                                         WeightView<float> weights)
{
    Stages stages;
    bool blockwise = true;
    WeightView<float> rest = weights.subspan(Gates::tensors(ffn));
    for (const FfnStage& stage : ffn.stages) {
        FLOPSMITH_TRY(std::unique_ptr<Stage> made, makeStage(stage.spec, size, rest));
        stages.push_back(std::move(made));
        blockwise = blockwise && stages.back()->asTokenStage() != nullptr;
        rest = rest.subspan(flopsmith::weights(stage.spec, size.dModel).size());
    }
    Composition composition(ffn, size.dModel, weights, std::move(stages));
    if (blockwise) {
        return std::unique_ptr<Stage>(
            std::make_unique<BlockwiseComposition>(size, std::move(composition)));
    }
    return std::unique_ptr<Stage>(std::make_unique<WholeComposition>(size, std::move(composition)));
}

} // namespace flopsmith::cpu
