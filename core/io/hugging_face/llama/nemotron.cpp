// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/llama/decoder.h"

namespace flopsmith {
namespace {

constexpr Architecture kNemotronArchitectures[]{
    {"NemotronForCausalLM", HeadKind::lm},
    {"NemotronModel", HeadKind::none},
};

constexpr DecoderDefaults kNemotronDefaults{.vocab = 256000,
                                            .width = 6144,
                                            .dFf = 24576,
                                            .heads = 48,
                                            .activation = "relu2"};
constexpr double kNemotronRotaryShare = 0.5;

// Like Llama, with LayerNorm, a dense FFN of squared ReLU, and rotary positions on half of each head.
// Its norms multiply by 1 + γ, as Gemma's.
Model importNemotron(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, kNemotronDefaults, architecture);
    readAttentionBias(config, model, false);
    Attention& attention = attentionIn(model);
    attention.rotaryDim = rotaryDimOf(
        config, "partial_rotary_factor", kNemotronRotaryShare, attention.headDimFor(model.dModel));
    setDenseFfn(model, config.flag("mlp_bias", false));
    blockIn(model).norm = Norm{};
    model.finalNorm = Norm{};
    return model;
}

} // namespace

const Family& nemotronFamily()
{
    static const Family kFamily{"nemotron", "Nemotron", kNemotronArchitectures, importNemotron};
    return kFamily;
}

} // namespace flopsmith
