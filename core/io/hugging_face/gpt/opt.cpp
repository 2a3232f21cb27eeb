// SPDX-License-Identifier: MIT
#include "core/ffn/dense.h"
#include "core/io/hugging_face/common.h"

namespace flopsmith {
namespace {

constexpr Architecture kOptArchitectures[]{
    {"OPTForCausalLM", HeadKind::lm},
    {"OPTModel", HeadKind::none},
};

constexpr int kPositionOffset = 2; // rows of the table before the first token's

// OPT-350M embeds in fewer features than it computes in: a projection leads in and another out.
void setTableWidth(ConfigReader& config, Model& model)
{
    const int width = config.sizeOrDerived({"word_embed_proj_dim"}, model.dModel);
    if (width != model.dModel) {
        model.embedding.width = width;
        model.embedding.projection = Projection::plain;
        model.head.projection = true;
        if (!model.head.isLm()) {
            config.fail(
                "word_embed_proj_dim",
                "OPTModel leads its output back to this width, which is counted with a head "
                "alone; name OPTForCausalLM in architectures");
        }
    }
}

// Like GPT-2 with ReLU; only OPT-350M has its norms after each part, and none at the end.
Model importOpt(ConfigReader& config, const Architecture& architecture)
{
    const bool bias = config.flag("enable_bias", true);
    const bool affine = config.flag("layer_norm_elementwise_affine", true);
    const bool before = config.flag("do_layer_norm_before", true);
    const int heads = config.sizeOr({"num_attention_heads"}, 12);
    const Norm norm{.scale = affine, .shift = affine};
    Block block;
    block.mixer = Attention{.heads = heads, .kvHeads = heads, .qkvBias = bias, .outBias = bias};
    block.ffn = DenseFfn{.dFf = config.sizeOr({"ffn_dim"}, 3072),
                         .activation = activationOf(config, {"activation_function"}, "relu"),
                         .bias = bias};
    block.norm = norm;
    block.placement = before ? NormPlacement::pre : NormPlacement::post;
    Model model = stackOf(block, config.layersOr({"num_hidden_layers"}, 12));
    model.dModel = config.sizeOr({"hidden_size"}, 768);
    const int positions = config.sizeOr({"max_position_embeddings"}, 2048);
    model.embedding = {.vocab = config.sizeOr({"vocab_size"}, 50272),
                       .positions = Positions::learned,
                       .positionRows = std::min(positions, 1 << 30) + kPositionOffset};
    const bool last = before && !config.flag("_remove_final_layer_norm", false);
    model.finalNorm = last ? norm : Norm::absent();
    model.head = {.kind = architecture.head, .tied = config.flag("tie_word_embeddings", true)};
    setTableWidth(config, model);
    return model;
}

} // namespace

const Family& optFamily()
{
    static const Family kFamily{"opt", "OPT", kOptArchitectures, importOpt};
    return kFamily;
}

} // namespace flopsmith
