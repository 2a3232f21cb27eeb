// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/activation.h"
#include "core/kernels/cpu/backward_stage.h"
#include "core/kernels/cpu/buffer.h"
#include "core/kernels/cpu/hidden_blocks.h"
#include "core/kernels/cpu/linear.h"
#include "core/kernels/cpu/linear_backward.h"
#include "core/kernels/cpu/stage.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

class DenseStage : public Stage
{
public:
    DenseStage(const DenseFfn& ffn, const StageSize& size, WeightView<float> w)
        : m_size(size)
        , m_up(size.dModel, ffn.dFf, w[0].data(), ffn.bias ? w[1].data() : nullptr)
        , m_down(ffn.dFf, size.dModel, w[ffn.bias ? 2 : 1].data(), ffn.bias ? w[3].data() : nullptr)
        , m_blocks(size.tokens, ffn.dFf)
        , m_hidden(static_cast<std::size_t>(m_blocks.elements()))
    {
        m_up.activatedBy(ffn.activation);
    }

    void run(const float* x, float* y) override
    {
        m_blocks.forEach([&](std::int64_t first, std::int64_t tokens) {
            m_up.run(x + first * m_size.dModel, m_hidden.data(), tokens, m_size.threads);
            m_down.run(m_hidden.data(), y + first * m_size.dModel, tokens, m_size.threads);
        });
    }

    std::size_t workspaceBytes() const override { return m_hidden.bytes(); }

private:
    StageSize m_size;
    Linear m_up;
    Linear m_down;
    HiddenBlocks m_blocks;
    Buffer m_hidden;
};

// Keeps what goes into the activation and what comes out of it, for all tokens.
class DenseBackwardStage : public BackwardStage
{
public:
    DenseBackwardStage(const DenseFfn& ffn,
                       const StageSize& size,
                       WeightView<float> w,
                       GradientSpans gradients)
        : m_ffn(ffn)
        , m_size(size)
        , m_up(size.dModel, ffn.dFf, w[0].data(), ffn.bias ? w[1].data() : nullptr)
        , m_down(ffn.dFf, size.dModel, w[ffn.bias ? 2 : 1].data(), ffn.bias ? w[3].data() : nullptr)
        , m_upBack(size.dModel,
                   ffn.dFf,
                   w[0].data(),
                   gradients[0],
                   ffn.bias ? gradients[1] : std::span<float>())
        , m_downBack(ffn.dFf,
                     size.dModel,
                     w[ffn.bias ? 2 : 1].data(),
                     gradients[ffn.bias ? 2 : 1],
                     ffn.bias ? gradients[3] : std::span<float>())
        , m_before(hiddenElements(ffn, size))
        , m_hidden(hiddenElements(ffn, size))
        , m_dHidden(hiddenElements(ffn, size))
    {}

    static std::size_t hiddenElements(const DenseFfn& ffn, const StageSize& size)
    {
        return static_cast<std::size_t>(size.tokens) * static_cast<std::size_t>(ffn.dFf);
    }

    void remember(const float* x, float* y) override
    {
        m_x = x;
        m_up.run(x, m_before.data(), m_size.tokens, m_size.threads);
        std::copy_n(m_before.data(), m_before.size(), m_hidden.data());
        addBiasAndActivate(m_ffn.activation, nullptr, m_hidden.data(), m_hidden.size());
        m_down.run(m_hidden.data(), y, m_size.tokens, m_size.threads);
    }

    void run(const float* dy, float* dx) override
    {
        const auto activateBackward = [this](const Slice& slice) {
            for (std::int64_t t = slice.tokens.first; t < slice.tokens.last; ++t) {
                const std::int64_t at = t * m_ffn.dFf + slice.columns.first;
                activateBackwardRow(m_ffn.activation,
                                    m_before.data() + at,
                                    m_dHidden.data() + at,
                                    m_dHidden.data() + at,
                                    static_cast<std::size_t>(slice.columns.size()));
            }
        };
        const std::int64_t tokens = m_size.tokens;
        m_downBack.weights(m_hidden.data(), dy, tokens, m_size.threads);
        m_downBack.input(
            dy, m_dHidden.data(), tokens, m_size.threads, Into::overwrite, activateBackward);
        m_upBack.weights(m_x, m_dHidden.data(), tokens, m_size.threads);
        m_upBack.input(m_dHidden.data(), dx, tokens, m_size.threads);
    }

    std::size_t workspaceBytes() const override
    {
        return m_before.bytes() + m_hidden.bytes() + m_dHidden.bytes();
    }

private:
    DenseFfn m_ffn;
    StageSize m_size;
    Linear m_up;
    Linear m_down;
    LinearBackward m_upBack;
    LinearBackward m_downBack;
    const float* m_x = nullptr;
    Buffer m_before; ///< the activation
    Buffer m_hidden; ///< after it
    Buffer m_dHidden;
};

} // namespace

Result<std::unique_ptr<Stage>> makeStage(const DenseFfn& ffn,
                                         const StageSize& size,
                                         WeightView<float> weights)
{
    return std::unique_ptr<Stage>(std::make_unique<DenseStage>(ffn, size, weights));
}

Count workspaceBytes(const DenseFfn& ffn, const StageSize& size)
{
    return Count{sizeof(float)} * HiddenBlocks(size.tokens, ffn.dFf).elements();
}

Result<std::unique_ptr<BackwardStage>> makeBackwardStage(const DenseFfn& ffn,
                                                         const StageSize& size,
                                                         WeightView<float> weights,
                                                         GradientSpans gradients)
{
    return std::unique_ptr<BackwardStage>(
        std::make_unique<DenseBackwardStage>(ffn, size, weights, gradients));
}

Count backwardWorkspaceBytes(const DenseFfn& ffn, const StageSize& size)
{
    return Count{3 * sizeof(float)} * size.tokens * ffn.dFf;
}

} // namespace flopsmith::cpu
