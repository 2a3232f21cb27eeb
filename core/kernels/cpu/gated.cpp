// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/activation.h"
#include "core/kernels/cpu/buffer.h"
#include "core/kernels/cpu/hidden_blocks.h"
#include "core/kernels/cpu/linear.h"
#include "core/kernels/cpu/stage.h"

namespace flopsmith::cpu {
namespace {

// The i-th weight matrix (gate, up, down) or bias; each matrix is followed by its bias if any.
const float* matrix(const GatedFfn& ffn, WeightView<float> weights, std::size_t i)
{
    return weights[ffn.bias ? 2 * i : i].data();
}

const float* biasOf(const GatedFfn& ffn, WeightView<float> weights, std::size_t i)
{
    return ffn.bias ? weights[2 * i + 1].data() : nullptr;
}

class GatedStage : public Stage
{
public:
    GatedStage(const GatedFfn& ffn, const StageSize& size, WeightView<float> w)
        : m_size(size)
        , m_activation(ffn.activation)
        , m_gate(size.dModel, ffn.dFf, matrix(ffn, w, 0), biasOf(ffn, w, 0))
        , m_up(size.dModel, ffn.dFf, matrix(ffn, w, 1), biasOf(ffn, w, 1))
        , m_down(ffn.dFf, size.dModel, matrix(ffn, w, 2), biasOf(ffn, w, 2))
        , m_blocks(size.tokens, ffn.dFf)
        , m_opened(static_cast<std::size_t>(m_blocks.elements()))
        , m_hidden(static_cast<std::size_t>(m_blocks.elements()))
    {}

    void run(const float* x, float* y) override
    {
        m_blocks.forEach([&](std::int64_t first, std::int64_t tokens) {
            const float* from = x + first * m_size.dModel;
            const Threads busy =
                worthwhile(m_size.threads, 2 * tokens * m_size.dModel * m_up.out());
            onThreads(busy,
                      [&](int part) { widen(from, sliceOf(tokens, m_up.out(), busy, part)); });
            m_down.run(m_hidden.data(), y + first * m_size.dModel, tokens, m_size.threads);
        });
    }

    std::size_t workspaceBytes() const override { return m_opened.bytes() + m_hidden.bytes(); }

private:
    // hidden = act(x·Wg + bg) ⊙ (x·Wu + bu) for one thread's slice.
    void widen(const float* x, const Slice& slice)
    {
        m_gate.product(x, m_opened.data(), slice);
        m_up.product(x, m_hidden.data(), slice);
        const auto from = [&](const float* bias) {
            return bias == nullptr ? nullptr : bias + slice.columns.first;
        };
        for (std::int64_t t = slice.tokens.first; t < slice.tokens.last; ++t) {
            const std::int64_t at = t * m_up.out() + slice.columns.first;
            gateRow(m_activation,
                    m_opened.data() + at,
                    from(m_gate.bias()),
                    m_hidden.data() + at,
                    from(m_up.bias()),
                    static_cast<std::size_t>(slice.columns.size()));
        }
    }

    StageSize m_size;
    Activation m_activation;
    Linear m_gate;
    Linear m_up;
    Linear m_down;
    HiddenBlocks m_blocks;
    Buffer m_opened; ///< x·Wg
    Buffer m_hidden;
};

} // namespace

Result<std::unique_ptr<Stage>> makeStage(const GatedFfn& ffn,
                                         const StageSize& size,
                                         WeightView<float> weights)
{
    return std::unique_ptr<Stage>(std::make_unique<GatedStage>(ffn, size, weights));
}

Count workspaceBytes(const GatedFfn& ffn, const StageSize& size)
{
    return Count{2 * sizeof(float)} * HiddenBlocks(size.tokens, ffn.dFf).elements();
}

} // namespace flopsmith::cpu
