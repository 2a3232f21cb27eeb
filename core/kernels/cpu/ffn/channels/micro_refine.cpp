// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/micro_refine.h"

#include "core/kernels/cpu/select/channels.h"
#include "core/kernels/cpu/select/selection.h"
#include "core/kernels/cpu/simd/prefetch.h"
#include "core/kernels/cpu/simd/vector_math.h"
#include "core/kernels/cpu/stage.h"
#include "core/kernels/cpu/token_backward.h"

namespace flopsmith::cpu {
namespace {

ChannelList refinedChannels(const MicroRefineFfn& ffn, int dModel)
{
    return ffn.selection == ChannelSelection::fixed
        ? ChannelList(ffn.fixedList(dModel), dModel, ChannelWork::heavy)
        : ChannelList(dModel);
}

// The channels of top_k for one refinement: of each group, or of all.
void maskRefined(const MicroRefineFfn& ffn, const float* z, int dModel, std::int32_t* mask)
{
    if (ffn.mode == MicroRefineMode::iterative) {
        maskLargest(z, dModel, kept(ffn.keepRatio, dModel), mask);
        return;
    }
    for (int group = 0; group < ffn.steps; ++group) {
        const int start = ffn.groupStart(group, dModel);
        const int size = ffn.groupStart(group + 1, dModel) - start;
        maskLargest(z + start, size, kept(ffn.keepRatio, size), mask + start);
    }
}

// β, γ and δ of the list's channels.
struct RefineRows
{
    RefineRows() = default;
    RefineRows(const ChannelList& channels, WeightView<float> weights)
        : beta(channels.arranged(weights[0].data()))
        , gamma(channels.arranged(weights[1].data()))
        , delta(channels.arranged(weights[2].data()))
    {}

    LedgerVector<float> beta;
    LedgerVector<float> gamma;
    LedgerVector<float> delta;
};

class MicroRefineStage : public TokenStage
{
public:
    MicroRefineStage(const MicroRefineFfn& ffn, const StageSize& size, WeightView<float> weights)
        : TokenStage(size)
        , m_ffn(ffn)
        , m_channels(refinedChannels(ffn, size.dModel))
        , m_weights(weights.first(3))
    {
        weightsChanged();
        if (ffn.selection == ChannelSelection::topK) {
            m_masks.resize(static_cast<std::size_t>(threads()) * padded(width()));
        }
    }

    void weightsChanged() final { m_rows = RefineRows(m_channels, m_weights); }

    void runBlock(const float* x, float* y, int tokens, int thread) override
    {
        std::int32_t* mask = m_masks.data() + static_cast<std::size_t>(thread) * padded(width());
        LargestSearch search;
        for (int t = 0; t < tokens; ++t, x += width(), y += width()) {
            const bool once = m_ffn.mode == MicroRefineMode::groups;
            if (m_ffn.selection == ChannelSelection::fixed) {
                runFixed(x, y);
            } else if (once) {
                refineGroups(x, y, search, mask);
            } else {
                iterateLargest(x, y, mask);
            }
        }
    }

private:
    std::size_t width() const { return static_cast<std::size_t>(dModel()); }

    // β·tanh(γ·v + δ)
    Lanes refined(Lanes v, std::size_t i) const
    {
        return load(m_rows.beta.data() + i)
            * tanh(load(m_rows.gamma.data() + i) * v + load(m_rows.delta.data() + i));
    }

    void runFixed(const float* x, float* y) const
    {
        if (m_ffn.mode == MicroRefineMode::groups) {
            m_channels.map(x, y, [this](Lanes v, std::size_t i) { return refined(v, i); });
            return;
        }
        m_channels.map(x, y, [this](Lanes v, std::size_t i) {
            Lanes z = v;
            for (int step = 0; step < m_ffn.steps; ++step) {
                z += refined(z, i);
            }
            return z - v;
        });
    }

    // Each group once; `scratch` [d].
    void refineGroups(const float* x, float* y, LargestSearch& search, std::int32_t* scratch) const
    {
        if (dModel() / m_ffn.steps < kFewValues) {
            maskRefined(m_ffn, x, dModel(), scratch);
            transformMasked(
                x, y, scratch, width(), [this](Lanes v, std::size_t i) { return refined(v, i); });
            return;
        }
        for (int group = 0; group < m_ffn.steps; ++group) {
            const int start = m_ffn.groupStart(group, dModel());
            const int size = m_ffn.groupStart(group + 1, dModel()) - start;
            const auto first = static_cast<std::size_t>(start);
            const Largest chosen = search(x + first, size, kept(m_ffn.keepRatio, size), scratch);
            transformLargest(
                x + first,
                y + first,
                chosen,
                static_cast<std::size_t>(size),
                [this, first](Lanes v, std::size_t i) { return refined(v, first + i); });
        }
    }

    // y holds z until the end.
    void iterateLargest(const float* x, float* y, std::int32_t* mask) const
    {
        std::copy_n(x, width(), y);
        for (int step = 0; step < m_ffn.steps; ++step) {
            maskRefined(m_ffn, y, dModel(), mask);
            transform(y, y, width(), [&](Lanes z, std::size_t i) {
                return z + fromBits(bitsOf(refined(z, i)) & loadBits(mask + i));
            });
        }
        along(
            width(),
            [&](std::size_t i) { store(y + i, load(y + i) - load(x + i)); },
            [&](std::size_t i, std::size_t n) {
                storeSome(y + i, loadSome(y + i, n) - loadSome(x + i, n), n);
            });
    }

    MicroRefineFfn m_ffn;
    ChannelList m_channels;
    WeightView<float> m_weights;
    RefineRows m_rows;
    LedgerVector<std::int32_t> m_masks; ///< of top_k: one token per thread
};

// Saved in place of the tanh of a channel that top_k did not select.
constexpr float kNotSelected = 2.0F;

// Saves z and tanh(γz + δ) of every refinement.
class MicroRefineBackwardStage : public TokenBackwardStage
{
public:
    MicroRefineBackwardStage(const MicroRefineFfn& ffn,
                             const StageSize& size,
                             std::unique_ptr<Stage> forward,
                             ChannelList channels,
                             WeightView<float> weights,
                             GradientSpans gradients)
        : TokenBackwardStage(size, 3 * padded(channels.positions()))
        , m_ffn(ffn)
        , m_rounds(roundsOf(ffn))
        , m_forward(std::move(forward))
        , m_channels(std::move(channels))
        , m_weights(weights.first(3))
        , m_rows(m_channels, m_weights)
        , m_gradients(gradients.begin(), gradients.begin() + 3)
        , m_stride(padded(m_channels.positions()))
    {
        const std::size_t rows = static_cast<std::size_t>(size.tokens) * m_rounds;
        m_saved = Buffer(2 * rows * m_stride);
        m_masks.resize(topK() ? static_cast<std::size_t>(threads()) * m_stride : 0);
    }

    void weightsChanged() override
    {
        m_forward->weightsChanged();
        m_rows = RefineRows(m_channels, m_weights);
    }

protected:
    void saveBlock(const float* x, float* y, const TokenBlock& block) override
    {
        m_forward->asTokenStage()->runBlock(x, y, block.tokens, block.thread);
        for (int t = 0; t < block.tokens; ++t) {
            const auto token = static_cast<std::size_t>(block.first + t);
            m_channels.gather(x + t * dModel(), savedZ(token, 0));
            for (std::size_t round = 0; round < m_rounds; ++round) {
                saveRound(token, round, block.thread);
            }
        }
    }

    void runBlock(const float* dy, float* dx, float* sums, const TokenBlock& block) override
    {
        for (int t = 0; t < block.tokens; ++t, dy += dModel(), dx += dModel()) {
            const auto token = static_cast<std::size_t>(block.first + t);
            const auto back = [=, this](Lanes g, std::size_t i) {
                return refinedBackward(token, g, i, sums);
            };
            if (topK()) {
                transform(dy, dx, static_cast<std::size_t>(dModel()), back);
            } else {
                m_channels.mapChosen(dy, dx, back);
            }
        }
    }

    void finish(const float* sums) override
    {
        for (std::size_t i = 0; i < 3; ++i) {
            m_channels.spread(sums + i * m_stride, m_gradients[i].data());
        }
    }

private:
    static std::size_t roundsOf(const MicroRefineFfn& ffn)
    {
        return ffn.mode == MicroRefineMode::iterative ? static_cast<std::size_t>(ffn.steps) : 1;
    }

    bool topK() const { return m_ffn.selection == ChannelSelection::topK; }

    float* savedZ(std::size_t token, std::size_t round)
    {
        return m_saved.data() + 2 * (token * m_rounds + round) * m_stride;
    }

    // tanh of one refinement, and z of the next.
    void saveRound(std::size_t token, std::size_t round, int thread)
    {
        const float* z = savedZ(token, round);
        float* h = savedZ(token, round) + m_stride;
        std::int32_t* mask = m_masks.data() + static_cast<std::size_t>(thread) * m_stride;
        if (topK()) {
            maskRefined(m_ffn, z, dModel(), mask);
        }
        transform(z, h, m_stride, [&](Lanes v, std::size_t i) {
            const Lanes tanhOfZ =
                tanh(load(m_rows.gamma.data() + i) * v + load(m_rows.delta.data() + i));
            return topK() && loadBits(mask + i) == 0 ? all(kNotSelected) : tanhOfZ;
        });
        if (round + 1 < m_rounds) {
            transform(z, savedZ(token, round + 1), m_stride, [&](Lanes v, std::size_t i) {
                const Lanes tanhOfZ = load(h + i);
                return tanhOfZ == kNotSelected ? v : v + load(m_rows.beta.data() + i) * tanhOfZ;
            });
        }
    }

    // Backward through all refinements of a register; accumulates the sums.
    Lanes refinedBackward(std::size_t token, Lanes g, std::size_t i, float* sums) const
    {
        const bool iterative = m_ffn.mode == MicroRefineMode::iterative;
        float* dBeta = sums + i;
        float* dGamma = sums + m_stride + i;
        float* dDelta = sums + 2 * m_stride + i;
        Lanes dz = g;
        for (std::size_t round = m_rounds; round-- > 0;) {
            const float* const saved =
                m_saved.data() + 2 * (token * m_rounds + round) * m_stride + i;
            prefetchNextPage(saved);
            prefetchNextPage(saved + m_stride);
            const Lanes z = load(saved);
            const Lanes h = load(saved + m_stride);
            const Lanes chosen = h == kNotSelected ? Lanes{} : dz;
            const Lanes gh = chosen * h;
            const Lanes e = (chosen - gh * h) * load(m_rows.beta.data() + i);
            store(dBeta, load(dBeta) + gh);
            store(dGamma, load(dGamma) + e * z);
            store(dDelta, load(dDelta) + e);
            const Lanes back = e * load(m_rows.gamma.data() + i);
            dz = iterative ? dz + back : back;
        }
        return iterative ? dz - g : dz;
    }

    MicroRefineFfn m_ffn;
    std::size_t m_rounds;
    std::unique_ptr<Stage> m_forward;
    ChannelList m_channels;
    WeightView<float> m_weights;
    RefineRows m_rows;
    std::vector<std::span<float>> m_gradients;
    std::size_t m_stride; ///< of a saved row: all d with top_k
    Buffer m_saved; ///< per token and refinement: z, then tanh(γz + δ) or kNotSelected
    LedgerVector<std::int32_t> m_masks; ///< of top_k: one refinement per thread
};

} // namespace

Result<std::unique_ptr<Stage>> makeStage(const MicroRefineFfn& ffn,
                                         const StageSize& size,
                                         WeightView<float> weights)
{
    return std::unique_ptr<Stage>(std::make_unique<MicroRefineStage>(ffn, size, weights));
}

Result<std::unique_ptr<BackwardStage>> makeBackwardStage(const MicroRefineFfn& ffn,
                                                         const StageSize& size,
                                                         WeightView<float> weights,
                                                         GradientSpans gradients)
{
    FLOPSMITH_TRY(std::unique_ptr<Stage> forward, makeStage(ffn, size, weights));
    return std::unique_ptr<BackwardStage>(std::make_unique<MicroRefineBackwardStage>(
        ffn, size, std::move(forward), refinedChannels(ffn, size.dModel), weights, gradients));
}

} // namespace flopsmith::cpu
