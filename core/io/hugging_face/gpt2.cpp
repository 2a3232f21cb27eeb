// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/gpt2.h"

#include <algorithm>

namespace flopsmith {
namespace {

constexpr Architecture kArchitectures[]{
    {"GPT2LMHeadModel", HeadKind::lm},
    {"GPT2Model", HeadKind::none},
};

void readHarmless(ConfigReader& config)
{
    config.ignore({"attn_pdrop",
                   "embd_pdrop",
                   "resid_pdrop",
                   "layer_norm_epsilon",
                   "n_ctx",
                   "n_special",
                   "reorder_and_upcast_attn",
                   "scale_attn_by_inverse_layer_idx",
                   "scale_attn_weights",
                   "summary_activation",
                   "summary_first_dropout",
                   "summary_proj_to_labels",
                   "summary_type",
                   "summary_use_proj"});
    config.refuseFlag("add_cross_attention", "it adds a second attention to every block");
}

// Learned positions, LayerNorm before each part, biases everywhere, d_ff = 4 d unless n_inner says
// otherwise, and an LM head that is the embedding again unless tie_word_embeddings is false.
Model import(ConfigReader& config, HeadKind head)
{
    Model model;
    model.dModel = config.size({"n_embd", "n_embed", "hidden_size"});
    model.embedding.vocab = config.size({"vocab_size"});
    model.embedding.positionRows = config.size({"n_positions", "max_position_embeddings", "n_ctx"});
    const int heads = config.size({"n_head", "num_attention_heads"});
    const int layers = config.size({"n_layer", "num_hidden_layers"});
    const int inner = config.optionalSize({"n_inner"}).value_or(0);
    Block block;
    block.mixer = Attention{.heads = heads, .kvHeads = heads};
    block.ffn = DenseFfn{.dFf = inner > 0 ? inner : 4 * std::min(model.dModel, 1 << 24),
                         .activation = activationOf(config, "activation_function", "gelu_new")};
    model.runs = {{block, layers}};
    model.head = {.kind = head, .tied = config.flag("tie_word_embeddings", true)};
    readHarmless(config);
    return model;
}

} // namespace

const Family& gpt2Family()
{
    static const Family kFamily{"gpt2", "GPT-2", kArchitectures, import};
    return kFamily;
}

} // namespace flopsmith
