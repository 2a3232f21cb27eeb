// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/activation.h"
#include "core/kernels/cpu/backward_stage.h"
#include "core/kernels/cpu/buffer.h"
#include "core/kernels/cpu/hidden_blocks.h"
#include "core/kernels/cpu/lanes.h"
#include "core/kernels/cpu/linear.h"
#include "core/kernels/cpu/linear_backward.h"
#include "core/kernels/cpu/stage.h"

#include <algorithm>

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

// Keeps both factors of the gate, what goes into the activation, and the product, for all tokens.
class GatedBackwardStage : public BackwardStage
{
public:
    GatedBackwardStage(const GatedFfn& ffn,
                       const StageSize& size,
                       WeightView<float> w,
                       GradientSpans gradients)
        : m_ffn(ffn)
        , m_size(size)
        , m_gate(size.dModel, ffn.dFf, matrix(ffn, w, 0), biasOf(ffn, w, 0))
        , m_up(size.dModel, ffn.dFf, matrix(ffn, w, 1), biasOf(ffn, w, 1))
        , m_down(ffn.dFf, size.dModel, matrix(ffn, w, 2), biasOf(ffn, w, 2))
        , m_gateBack(backwardOf(0, w, gradients))
        , m_upBack(backwardOf(1, w, gradients))
        , m_downBack(backwardOf(2, w, gradients))
    {
        for (Buffer* buffer : {&m_before, &m_opened, &m_upValues, &m_hidden, &m_dGate, &m_dUp}) {
            *buffer = Buffer(static_cast<std::size_t>(size.tokens * ffn.dFf));
        }
    }

    void remember(const float* x, float* y) override
    {
        m_x = x;
        m_gate.run(x, m_before.data(), m_size.tokens, m_size.threads);
        m_up.run(x, m_upValues.data(), m_size.tokens, m_size.threads);
        std::copy_n(m_before.data(), m_before.size(), m_opened.data());
        addBiasAndActivate(m_ffn.activation, nullptr, m_opened.data(), m_opened.size());
        multiplyRow(m_opened.data(), m_upValues.data(), m_hidden.data(), m_hidden.size());
        m_down.run(m_hidden.data(), y, m_size.tokens, m_size.threads);
    }

    void run(const float* dy, float* dx) override
    {
        const std::int64_t tokens = m_size.tokens;
        const Threads threads = m_size.threads;
        m_downBack.weights(m_hidden.data(), dy, tokens, threads);
        m_downBack.input(
            dy, m_dUp.data(), tokens, threads, Into::overwrite, [this](const Slice& slice) {
                for (std::int64_t t = slice.tokens.first; t < slice.tokens.last; ++t) {
                    throughGate(static_cast<std::size_t>(t * m_ffn.dFf + slice.columns.first),
                                static_cast<std::size_t>(slice.columns.size()));
                }
            });
        m_gateBack.weights(m_x, m_dGate.data(), tokens, threads);
        m_upBack.weights(m_x, m_dUp.data(), tokens, threads);
        m_gateBack.input(m_dGate.data(), dx, tokens, threads);
        m_upBack.input(m_dUp.data(), dx, tokens, threads, Into::add);
    }

    std::size_t workspaceBytes() const override { return 6 * m_hidden.bytes(); }

private:
    LinearBackward backwardOf(std::size_t i, WeightView<float> w, GradientSpans gradients) const
    {
        const std::size_t at = m_ffn.bias ? 2 * i : i;
        const std::int64_t in = i == 2 ? m_ffn.dFf : m_size.dModel;
        const std::int64_t out = i == 2 ? m_size.dModel : m_ffn.dFf;
        return {in,
                out,
                w[at].data(),
                gradients[at],
                m_ffn.bias ? gradients[at + 1] : std::span<float>()};
    }

    static void multiplyRow(const float* a, const float* b, float* to, std::size_t count)
    {
        along(
            count,
            [&](std::size_t i) { store(to + i, load(a + i) * load(b + i)); },
            [&](std::size_t i, std::size_t n) {
                storeSome(to + i, loadSome(a + i, n) * loadSome(b + i, n), n);
            });
    }

    // The gradient of the product, which stands in m_dUp, to those of both factors.
    void throughGate(std::size_t at, std::size_t count)
    {
        float* dUp = m_dUp.data() + at;
        float* dGate = m_dGate.data() + at;
        multiplyRow(dUp, m_upValues.data() + at, dGate, count);
        activateBackwardRow(m_ffn.activation, m_before.data() + at, dGate, dGate, count);
        multiplyRow(dUp, m_opened.data() + at, dUp, count);
    }

    GatedFfn m_ffn;
    StageSize m_size;
    Linear m_gate;
    Linear m_up;
    Linear m_down;
    LinearBackward m_gateBack;
    LinearBackward m_upBack;
    LinearBackward m_downBack;
    const float* m_x = nullptr;
    Buffer m_before; ///< x·Wg + bg
    Buffer m_opened; ///< act(x·Wg + bg)
    Buffer m_upValues; ///< x·Wu + bu
    Buffer m_hidden; ///< their product
    Buffer m_dGate;
    Buffer m_dUp;
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

Result<std::unique_ptr<BackwardStage>> makeBackwardStage(const GatedFfn& ffn,
                                                         const StageSize& size,
                                                         WeightView<float> weights,
                                                         GradientSpans gradients)
{
    return std::unique_ptr<BackwardStage>(
        std::make_unique<GatedBackwardStage>(ffn, size, weights, gradients));
}

Count backwardWorkspaceBytes(const GatedFfn& ffn, const StageSize& size)
{
    return Count{6 * sizeof(float)} * size.tokens * ffn.dFf;
}

} // namespace flopsmith::cpu
