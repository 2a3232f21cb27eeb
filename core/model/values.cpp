// SPDX-License-Identifier: MIT
#include "core/model/values.h"

#include "core/ffn/ffn_variants.h"
#include "core/mixer/mixer_variants.h"

namespace flopsmith {
namespace {

void reset(Norm& norm)
{
    norm.epsilon = Norm{}.epsilon;
}

struct ResetMixer
{
    template <class Mixer>
    void operator()(Mixer& /*mixer*/) const
    {}

    void operator()(Attention& attention) const
    {
        const Attention usual;
        attention.rope = usual.rope;
        attention.scoreScale = usual.scoreScale;
        attention.qkNormEpsilon = usual.qkNormEpsilon;
        attention.qkvLimit = usual.qkvLimit;
    }

    void operator()(LatentAttention& attention) const
    {
        const LatentAttention usual;
        attention.rope = usual.rope;
        attention.scoreScale = usual.scoreScale;
        attention.normEpsilon = usual.normEpsilon;
    }

    void operator()(Mamba2& mixer) const { mixer.normEpsilon = Mamba2{}.normEpsilon; }
};

struct ResetFfn
{
    template <class Ffn>
    void operator()(Ffn& ffn) const
    {
        if constexpr (requires { ffn.gate.siluSlope; }) {
            ffn.gate = GateValues{};
        }
    }

    void operator()(ComposedFfn& composed) const
    {
        for (FfnStage& stage : composed.stages) {
            visit(*this, stage.spec);
        }
    }
};

void reset(Block& block)
{
    reset(block.norm);
    block.residualFactor = Block{}.residualFactor;
    visit(ResetMixer{}, block.mixer);
    visit(ResetMixer{}, block.cross);
    visit(ResetFfn{}, block.ffn);
}

} // namespace

Model withoutValues(Model model)
{
    reset(model.embedding.norm);
    model.embedding.scaleFactor = Embedding{}.scaleFactor;
    for (BlockRun& run : model.runs) {
        reset(run.block);
    }
    reset(model.encoderNorm);
    reset(model.finalNorm);
    reset(model.head.norm);
    model.head.scaleFactor = Head{}.scaleFactor;
    return model;
}

} // namespace flopsmith
