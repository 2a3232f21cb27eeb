// SPDX-License-Identifier: MIT
#include "core/ffn/dense.h"
#include "core/io/hugging_face/common.h"

namespace flopsmith {
namespace {

constexpr Architecture kFalconArchitectures[]{
    {"FalconForCausalLM", HeadKind::lm},
    {"FalconModel", HeadKind::none},
};

constexpr Architecture kRefinedWebArchitectures[]{
    {"RWForCausalLM", HeadKind::lm},
    {"RWModel", HeadKind::none},
};

// The two generations: the first shares one key and value head among all query heads (or has one
// for each), the second has groups of them and two norms.
struct Generation
{
    bool grouped = false;
    bool multiQuery = true;
};

int kvHeadsOf(ConfigReader& config, const Generation& generation, int heads)
{
    const int named = config.sizeOrDerived({"num_kv_heads", "n_head_kv"}, heads);
    if (generation.grouped) {
        return named;
    }
    return generation.multiQuery ? 1 : heads;
}

void setLayout(ConfigReader& config, const Generation& generation, Block& block)
{
    const int norms =
        config.optionalSize({"num_ln_in_parallel_attn"}).value_or(generation.grouped ? 2 : 1);
    const bool parallel = config.flag("parallel_attn", true) || generation.grouped;
    if (norms > 2) {
        config.fail("num_ln_in_parallel_attn", "must be 1 or 2");
    }
    block.layout = parallel ? BlockLayout::parallel : BlockLayout::sequential;
    block.oneNorm = parallel && norms == 1;
}

// LayerNorms always have a shift; `bias` is for the linear layers.
Model falconDecoder(ConfigReader& config,
                    const Architecture& architecture,
                    const Generation& generation)
{
    const bool bias = config.flag("bias", false);
    const bool alibi = config.flag("alibi", false);
    const int width = config.sizeOr({"hidden_size", "n_embed"}, 4544);
    const int heads = config.sizeOr({"num_attention_heads", "n_head"}, 71);
    Block block;
    block.mixer = Attention{.heads = heads,
                            .kvHeads = kvHeadsOf(config, generation, heads),
                            .qkvBias = bias,
                            .outBias = bias,
                            .rotary = !alibi,
                            .positionBias = alibi ? PositionBias::alibi : PositionBias::none};
    block.ffn = DenseFfn{.dFf = config.sizeOrDerived({"ffn_hidden_size"}, timesWidth(4, width)),
                         .activation = activationOf(config, {"activation"}, "gelu"),
                         .bias = bias};
    setLayout(config, generation, block);
    Model model = stackOf(block, config.layersOr({"num_hidden_layers", "n_layer"}, 32));
    model.dModel = width;
    model.embedding = {.vocab = config.sizeOr({"vocab_size"}, 65024), .positions = Positions::none};
    model.head = {.kind = architecture.head, .tied = config.flag("tie_word_embeddings", true)};
    config.requireFlag("apply_residual_connection_post_layernorm",
                       false,
                       "the residual would start behind the norm");
    config.ignore({"ff_factor", "max_position_embeddings"});
    readRotary(config);
    return model;
}

Model importFalcon(ConfigReader& config, const Architecture& architecture)
{
    return falconDecoder(config,
                         architecture,
                         {.grouped = config.flag("new_decoder_architecture", false),
                          .multiQuery = config.flag("multi_query", true)});
}

// Falcon-40B under its first name.
Model importGrouped(ConfigReader& config, const Architecture& architecture)
{
    config.ignore({"multi_query", "new_decoder_architecture"});
    return falconDecoder(config, architecture, {.grouped = true});
}

} // namespace

const Family& falconFamily()
{
    static const Family kFamily{"falcon", "Falcon", kFalconArchitectures, importFalcon};
    return kFamily;
}

const Family& refinedWebFamily()
{
    static const Family kFamily{"RefinedWeb", "Falcon", kRefinedWebArchitectures, importGrouped};
    return kFamily;
}

const Family& refinedWebModelFamily()
{
    static const Family kFamily{
        "RefinedWebModel", "Falcon", kRefinedWebArchitectures, importFalcon};
    return kFamily;
}

} // namespace flopsmith
