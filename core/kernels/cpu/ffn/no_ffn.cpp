// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/no_ffn.h"

#include "core/kernels/cpu/backward_stage.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

class NoStage : public TokenStage
{
public:
    using TokenStage::TokenStage;

    void runBlock(const float* /*x*/, float* y, int tokens, int /*thread*/) override
    {
        std::fill_n(y, static_cast<std::size_t>(tokens) * static_cast<std::size_t>(dModel()), 0.0F);
    }
};

class NoBackwardStage : public BackwardStage
{
public:
    explicit NoBackwardStage(const StageSize& size)
        : m_size(size)
    {}

    void save(const float* /*x*/, float* y) override { std::fill_n(y, m_size.activations(), 0.0F); }

    void run(const float* /*dy*/, float* dx) override
    {
        std::fill_n(dx, m_size.activations(), 0.0F);
    }

private:
    StageSize m_size;
};

} // namespace

Result<std::unique_ptr<Stage>> makeStage(const NoFfn& /*ffn*/,
                                         const StageSize& size,
                                         WeightView<float> /*weights*/)
{
    return std::unique_ptr<Stage>(std::make_unique<NoStage>(size));
}

Result<std::unique_ptr<BackwardStage>> makeBackwardStage(const NoFfn& /*ffn*/,
                                                         const StageSize& size,
                                                         WeightView<float> /*weights*/,
                                                         GradientSpans /*gradients*/)
{
    return std::unique_ptr<BackwardStage>(std::make_unique<NoBackwardStage>(size));
}

} // namespace flopsmith::cpu
