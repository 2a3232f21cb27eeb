// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/backward_stage.h"
#include "core/kernels/cpu/ffn/hidden/bf16_hidden.h"
#include "core/kernels/cpu/ffn/hidden/hidden_blocks.h"
#include "core/kernels/cpu/ffn/hidden/hidden_layer.h"
#include "core/kernels/cpu/ffn/hidden/plain_backward.h"
#include "core/kernels/cpu/linear/linear.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/stage.h"

namespace flopsmith::cpu {
namespace {

class DenseStage : public Stage
{
public:
    DenseStage(const DenseFfn& ffn, const StageSize& size, WeightView<float> w)
        : m_size(size)
        , m_up(size.dModel, ffn.dFf, w[0].data(), ffn.bias ? w[1].data() : nullptr)
        , m_down(ffn.dFf, size.dModel, w[ffn.bias ? 2 : 1].data(), ffn.bias ? w[3].data() : nullptr)
        , m_blocks(HiddenBlocks::of(size, ffn.dFf))
        , m_hidden(static_cast<std::size_t>(m_blocks.elements()))
    {
        m_up.activatedBy(ffn.activation)
            .computedIn(size.precision)
            .packed(size.tokens, size.threads);
        m_down.computedIn(size.precision).packed(size.tokens, size.threads);
    }

    void run(const float* x, float* y) override
    {
        m_blocks.forEach([&](std::int64_t first, std::int64_t tokens) {
            m_up.run(x + first * m_size.dModel, m_hidden.data(), tokens, m_size.threads);
            m_down.run(m_hidden.data(), y + first * m_size.dModel, tokens, m_size.threads);
        });
    }

private:
    StageSize m_size;
    Linear m_up;
    Linear m_down;
    HiddenBlocks m_blocks;
    Buffer m_hidden;
};

} // namespace

Result<std::unique_ptr<Stage>> makeStage(const DenseFfn& ffn,
                                         const StageSize& size,
                                         WeightView<float> weights)
{
    if (RoundedHiddenStage::isFor(size)) {
        return std::unique_ptr<Stage>(
            std::make_unique<RoundedHiddenStage>(HiddenLayer(ffn, size, weights), size, ffn.dFf));
    }
    return std::unique_ptr<Stage>(std::make_unique<DenseStage>(ffn, size, weights));
}

Result<std::unique_ptr<BackwardStage>> makeBackwardStage(const DenseFfn& ffn,
                                                         const StageSize& size,
                                                         WeightView<float> weights,
                                                         GradientSpans gradients)
{
    return std::unique_ptr<BackwardStage>(std::make_unique<PlainBackwardStage>(
        HiddenLayerBackward(ffn, size, weights, gradients), size));
}

} // namespace flopsmith::cpu
