// SPDX-License-Identifier: MIT
#include "core/ffn/dense.h"
#include "core/io/hugging_face/llama/decoder.h"

namespace flopsmith {
namespace {

constexpr Architecture kPhiArchitectures[]{
    {"PhiForCausalLM", HeadKind::lm},
    {"PhiModel", HeadKind::none},
};

constexpr double kPhiRotaryShare = 0.5;

// Parallel attention and FFN after one LayerNorm, rotary positions on a part of each head, biases
// everywhere, also in the LM head (Phi-1, Phi-1.5, Phi-2).
Model importPhi(ConfigReader& config, const Architecture& architecture)
{
    const int width = config.sizeOr({"hidden_size"}, 2048);
    const int heads = config.sizeOr({"num_attention_heads"}, 32);
    Attention attention{.heads = heads,
                        .kvHeads = kvHeadsOf(config, 0, heads),
                        .headDim = headDimOf(config, heads, width),
                        .rotary = true};
    attention.rotaryDim =
        rotaryDimOf(config, "partial_rotary_factor", kPhiRotaryShare, attention.headDimFor(width));
    Block block;
    block.mixer = attention;
    block.ffn = DenseFfn{.dFf = config.sizeOr({"intermediate_size"}, 8192),
                         .activation = activationOf(config, {"hidden_act"}, "gelu_new")};
    block.layout = BlockLayout::parallel;
    block.oneNorm = true;
    Model model = stackOf(block, config.layersOr({"num_hidden_layers"}, 24));
    if (config.flag("qk_layernorm", false)) {
        attentionIn(model).qkNorm = QkNorm::perHead;
        attentionIn(model).qkNormKind = NormKind::layerNorm;
        attentionIn(model).qkNormShift = true;
    }
    model.dModel = width;
    model.embedding = {.vocab = config.sizeOr({"vocab_size"}, 51200), .positions = Positions::none};
    model.head = {
        .kind = architecture.head, .tied = config.flag("tie_word_embeddings", false), .bias = true};
    readRotary(config);
    return model;
}

} // namespace

const Family& phiFamily()
{
    static const Family kFamily{"phi", "Phi", kPhiArchitectures, importPhi};
    return kFamily;
}

} // namespace flopsmith
