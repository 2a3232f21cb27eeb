// SPDX-License-Identifier: MIT
#include "core/ffn/gated.h"

#include "core/ffn/shared/d_ff_field.h"

namespace flopsmith {
namespace {

constexpr Component kGatedComponent{"gated", "Gated FFN", 0xC27C0E, Hatch::forward};

} // namespace

const VariantInfo& GatedFfn::info()
{
    static constexpr VariantInfo kInfo{
        "gated",
        "Gated (SwiGLU)",
        "(act(x\xC2\xB7Wg) \xE2\x8A\x99 x\xC2\xB7Wu)\xC2\xB7Wd",
        "A third matrix opens and closes each hidden feature: the FFN of Llama, Mistral and Qwen. "
        "1.5 times a dense FFN of the same d_ff.",
        &kGatedComponent};
    return kInfo;
}

const std::vector<Field<GatedFfn>>& GatedFfn::fields()
{
    static const std::vector<Field<GatedFfn>> kFields{
        dFfField<GatedFfn>(),
        choiceField(&GatedFfn::activation,
                    {"activation",
                     "",
                     "activation",
                     "of the gate: silu gives SwiGLU, gelu GeGLU, relu ReGLU",
                     ""}),
        flagField(&GatedFfn::bias, {"bias", "", "bias", "of all three matrices", ""}),
    };
    return kFields;
}

WeightShapes weights(const GatedFfn& ffn, int dModel)
{
    WeightShapes shapes;
    const auto linear = [&](const std::string& name, int in, int out) {
        shapes.push_back({name + ".weight", in, out, Init::normal});
        if (ffn.bias) {
            shapes.push_back({name + ".bias", 1, out, Init::small});
        }
    };
    linear("gate", dModel, ffn.dFf);
    linear("up", dModel, ffn.dFf);
    linear("down", ffn.dFf, dModel);
    return shapes;
}

} // namespace flopsmith
