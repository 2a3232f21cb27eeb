// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/backward_stage.h"
#include "core/kernels/cpu/ffn/hidden/bf16_hidden.h"
#include "core/kernels/cpu/ffn/hidden/hidden_blocks.h"
#include "core/kernels/cpu/ffn/hidden/hidden_layer.h"
#include "core/kernels/cpu/ffn/hidden/plain_backward.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/stage.h"

namespace flopsmith::cpu {
namespace {

class GatedStage : public Stage
{
public:
    GatedStage(const GatedFfn& ffn, const StageSize& size, WeightView<float> weights)
        : m_size(size)
        , m_dFf(ffn.dFf)
        , m_layer(ffn, size, weights)
        , m_blocks(HiddenBlocks::of(size, ffn.dFf))
        , m_gates(static_cast<std::size_t>(m_blocks.elements()))
        , m_hidden(static_cast<std::size_t>(m_blocks.elements()))
    {}

    void run(const float* x, float* y) override
    {
        m_blocks.forEach([&](std::int64_t first, std::int64_t tokens) {
            const float* from = x + first * m_size.dModel;
            float* to = y + first * m_size.dModel;
            const Threads busy = threadsFor(m_size.threads, tokens * m_size.dModel * m_dFf);
            onThreads(busy, [&](int part) {
                const Slice slice = sliceOf(tokens, m_dFf, busy, part);
                m_layer.projectUp(from, m_gates.data(), m_hidden.data(), slice);
            });
            onThreads(busy, [&](int part) {
                m_layer.projectDown(
                    m_hidden.data(), to, sliceOf(tokens, m_size.dModel, busy, part));
            });
        });
    }

private:
    StageSize m_size;
    std::int64_t m_dFf;
    HiddenLayer m_layer;
    HiddenBlocks m_blocks;
    Buffer m_gates; ///< x·Wg
    Buffer m_hidden;
};

} // namespace

Result<std::unique_ptr<Stage>> makeStage(const GatedFfn& ffn,
                                         const StageSize& size,
                                         WeightView<float> weights)
{
    if (RoundedHiddenStage::isFor(size)) {
        return std::unique_ptr<Stage>(
            std::make_unique<RoundedHiddenStage>(HiddenLayer(ffn, size, weights), size, ffn.dFf));
    }
    return std::unique_ptr<Stage>(std::make_unique<GatedStage>(ffn, size, weights));
}

Result<std::unique_ptr<BackwardStage>> makeBackwardStage(const GatedFfn& ffn,
                                                         const StageSize& size,
                                                         WeightView<float> weights,
                                                         GradientSpans gradients)
{
    return std::unique_ptr<BackwardStage>(std::make_unique<PlainBackwardStage>(
        HiddenLayerBackward(ffn, size, weights, gradients), size));
}

} // namespace flopsmith::cpu
