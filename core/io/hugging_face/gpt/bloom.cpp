// SPDX-License-Identifier: MIT
#include "core/ffn/dense.h"
#include "core/io/hugging_face/common.h"

namespace flopsmith {
namespace {

constexpr Architecture kBloomArchitectures[]{
    {"BloomForCausalLM", HeadKind::lm},
    {"BloomModel", HeadKind::none},
};

// ALiBi, a LayerNorm after the embedding, biases everywhere, d_ff = 4 d.
Model importBloom(ConfigReader& config, const Architecture& architecture)
{
    const int width = config.sizeOr({"hidden_size", "n_embed", "n_embd"}, 64);
    const int heads = config.sizeOr({"n_head", "num_attention_heads"}, 8);
    Block block;
    block.mixer = Attention{.heads = heads, .kvHeads = heads, .positionBias = PositionBias::alibi};
    block.ffn = DenseFfn{.dFf = timesWidth(4, width), .activation = Activation::geluTanh};
    Model model = stackOf(block, config.layersOr({"n_layer", "num_hidden_layers"}, 2));
    model.dModel = width;
    model.embedding = {.vocab = config.sizeOr({"vocab_size"}, 250880),
                       .positions = Positions::none,
                       .norm = Norm{}};
    model.head = {.kind = architecture.head, .tied = config.flag("tie_word_embeddings", true)};
    config.requireFlag("apply_residual_connection_post_layernorm",
                       false,
                       "the residual would start behind the norm");
    config.ignore({"attention_softmax_in_fp32",
                   "bias_dropout_fusion",
                   "masked_softmax_fusion",
                   "n_inner",
                   "offset_alibi",
                   "seq_length",
                   "skip_bias_add",
                   "skip_bias_add_qkv",
                   "slow_but_exact"});
    return model;
}

} // namespace

const Family& bloomFamily()
{
    static const Family kFamily{"bloom", "BLOOM", kBloomArchitectures, importBloom};
    return kFamily;
}

} // namespace flopsmith
