// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/stage.h"

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

    std::size_t workspaceBytes() const override { return 0; }
};

} // namespace

Result<std::unique_ptr<Stage>> makeStage(const NoFfn& /*ffn*/,
                                         const StageSize& size,
                                         WeightView<float> /*weights*/)
{
    return std::unique_ptr<Stage>(std::make_unique<NoStage>(size));
}

Count workspaceBytes(const NoFfn& /*ffn*/, const StageSize& /*size*/)
{
    return 0;
}

} // namespace flopsmith::cpu
