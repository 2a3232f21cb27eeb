// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/llama/decoder.h"

namespace flopsmith {
namespace {

constexpr Architecture kStarcoder2Architectures[]{
    {"Starcoder2ForCausalLM", HeadKind::lm},
    {"Starcoder2Model", HeadKind::none},
};

constexpr DecoderDefaults kStarcoder2Defaults{.vocab = 49152,
                                              .width = 3072,
                                              .dFf = 12288,
                                              .layers = 30,
                                              .heads = 24,
                                              .kvHeads = 2,
                                              .activation = "gelu_pytorch_tanh",
                                              .tied = true};

// As Llama with LayerNorm, a dense FFN, biases everywhere, and a window if one is named.
Model importStarcoder2(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, kStarcoder2Defaults, architecture);
    const bool bias = config.flag("use_bias", true);
    Attention& attention = attentionIn(model);
    attention.qkvBias = bias;
    attention.outBias = bias;
    attention.window = windowOf(config, "sliding_window", 0);
    setDenseFfn(model, bias);
    blockIn(model).norm = Norm{};
    model.finalNorm = Norm{};
    config.requireText("mlp_type", "default");
    config.requireText("norm_type", "layer_norm");
    return model;
}

} // namespace

const Family& starcoder2Family()
{
    static const Family kFamily{
        "starcoder2", "StarCoder2", kStarcoder2Architectures, importStarcoder2};
    return kFamily;
}

} // namespace flopsmith
