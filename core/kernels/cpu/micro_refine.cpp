// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/channels.h"
#include "core/kernels/cpu/selection.h"
#include "core/kernels/cpu/stage.h"
#include "core/kernels/cpu/vector_math.h"

namespace flopsmith::cpu {
namespace {

class MicroRefineStage : public TokenStage
{
public:
    MicroRefineStage(const MicroRefineFfn& ffn, const StageSize& size, WeightView<float> weights)
        : TokenStage(size)
        , m_ffn(ffn)
        , m_channels(ffn.selection == ChannelSelection::fixed
                         ? ChannelList(ffn.fixedList(size.dModel), size.dModel)
                         : ChannelList(size.dModel))
        , m_beta(m_channels.arranged(weights[0].data()))
        , m_gamma(m_channels.arranged(weights[1].data()))
        , m_delta(m_channels.arranged(weights[2].data()))
    {
        if (ffn.selection == ChannelSelection::topK) {
            m_masks.resize(static_cast<std::size_t>(threads()) * padded(width()));
        }
    }

    void runBlock(const float* x, float* y, int tokens, int thread) override
    {
        std::int32_t* mask = m_masks.data() + static_cast<std::size_t>(thread) * padded(width());
        for (int t = 0; t < tokens; ++t, x += width(), y += width()) {
            const bool once = m_ffn.mode == MicroRefineMode::groups;
            if (m_ffn.selection == ChannelSelection::fixed) {
                runFixed(x, y);
            } else if (once) {
                maskGroups(x, mask);
                transformMasked(
                    x, y, mask, width(), [this](Lanes v, std::size_t i) { return refined(v, i); });
            } else {
                iterateLargest(x, y, mask);
            }
        }
    }

    std::size_t workspaceBytes() const override
    {
        return m_channels.bytes() + 3 * m_beta.size() * sizeof(float)
            + m_masks.size() * sizeof(std::int32_t);
    }

private:
    std::size_t width() const { return static_cast<std::size_t>(dModel()); }

    // β·tanh(γ·v + δ)
    Lanes refined(Lanes v, std::size_t i) const
    {
        return load(m_beta.data() + i)
            * tanh(load(m_gamma.data() + i) * v + load(m_delta.data() + i));
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

    void maskGroups(const float* x, std::int32_t* mask) const
    {
        for (int group = 0; group < m_ffn.steps; ++group) {
            const int start = m_ffn.groupStart(group, dModel());
            const int size = m_ffn.groupStart(group + 1, dModel()) - start;
            maskLargest(x + start, size, kept(m_ffn.keepRatio, size), mask + start);
        }
    }

    // y holds z meanwhile.
    void iterateLargest(const float* x, float* y, std::int32_t* mask) const
    {
        std::copy_n(x, width(), y);
        for (int step = 0; step < m_ffn.steps; ++step) {
            maskLargest(y, dModel(), kept(m_ffn.keepRatio, dModel()), mask);
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
    std::vector<float> m_beta;
    std::vector<float> m_gamma;
    std::vector<float> m_delta;
    std::vector<std::int32_t> m_masks; ///< of top_k: one token per thread
};

} // namespace

Result<std::unique_ptr<Stage>> makeStage(const MicroRefineFfn& ffn,
                                         const StageSize& size,
                                         WeightView<float> weights)
{
    return std::unique_ptr<Stage>(std::make_unique<MicroRefineStage>(ffn, size, weights));
}

Count workspaceBytes(const MicroRefineFfn& ffn, const StageSize& size)
{
    const Count row = static_cast<Count>(ChannelList::mostArrangedBytes(size.dModel));
    const int masks = ffn.selection == ChannelSelection::topK ? size.threads.count : 0;
    return static_cast<Count>(ChannelList::mostBytes(size.dModel)) + row * (3 + masks);
}

} // namespace flopsmith::cpu
