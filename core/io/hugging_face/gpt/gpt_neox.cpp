// SPDX-License-Identifier: MIT
#include "core/ffn/dense.h"
#include "core/io/hugging_face/common.h"

namespace flopsmith {
namespace {

constexpr Architecture kGptNeoxArchitectures[]{
    {"GPTNeoXForCausalLM", HeadKind::lm},
    {"GPTNeoXModel", HeadKind::none},
};

constexpr double kGptNeoxRotaryShare = 0.25;

// Parallel attention and FFN, each after a LayerNorm of its own, rotary positions on a quarter of
// each head, biases everywhere except in the LM head (GPT-NeoX-20B, Pythia).
Model importGptNeox(ConfigReader& config, const Architecture& architecture)
{
    const int width = config.sizeOr({"hidden_size"}, 6144);
    const int heads = config.sizeOr({"num_attention_heads"}, 64);
    const bool bias = config.flag("attention_bias", true);
    Block block;
    block.mixer = Attention{
        .heads = heads,
        .kvHeads = heads,
        .qkvBias = bias,
        .outBias = bias,
        .rotary = true,
        .rotaryDim = rotaryDimOf(config, "rotary_pct", kGptNeoxRotaryShare, width / heads)};
    block.ffn = DenseFfn{.dFf = config.sizeOr({"intermediate_size"}, 24576),
                         .activation = activationOf(config, {"hidden_act"}, "gelu")};
    block.layout = config.flag("use_parallel_residual", true) ? BlockLayout::parallel
                                                              : BlockLayout::sequential;
    Model model = stackOf(block, config.layersOr({"num_hidden_layers"}, 44));
    model.dModel = width;
    model.embedding = {.vocab = config.sizeOr({"vocab_size"}, 50432), .positions = Positions::none};
    model.head = {.kind = architecture.head, .tied = config.flag("tie_word_embeddings", false)};
    readRotary(config);
    return model;
}

} // namespace

const Family& gptNeoxFamily()
{
    static const Family kFamily{"gpt_neox", "GPT-NeoX", kGptNeoxArchitectures, importGptNeox};
    return kFamily;
}

} // namespace flopsmith
