// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/bert.h"

namespace flopsmith {
namespace {

// Only the encoder with its pooler: the heads of the other classes have layers of their own.
constexpr Architecture kArchitectures[]{
    {"BertModel", HeadKind::pooler},
};

void refuseOtherModels(ConfigReader& config)
{
    config.refuseFlag("is_decoder", "a decoder of this family is another model");
    config.refuseFlag("add_cross_attention", "it adds a second attention to every block");
    const std::string positions = config.text("position_embedding_type", "absolute");
    if (positions != "absolute") {
        config.fail("position_embedding_type",
                    "\"" + positions + "\" is not supported; supported is absolute");
    }
    const ConfigReader::Json& pruned = config.value("pruned_heads");
    if (!pruned.is_null() && !pruned.empty()) {
        config.fail("pruned_heads", "models with pruned heads are not supported");
    }
}

// Learned positions and token types with a norm behind them, LayerNorm after each part, biases
// everywhere, every token sees every other.
Model import(ConfigReader& config, HeadKind head)
{
    Model model;
    model.dModel = config.size({"hidden_size"});
    model.embedding = {.vocab = config.size({"vocab_size"}),
                       .positions = Positions::learned,
                       .positionRows = config.size({"max_position_embeddings"}),
                       .tokenTypes = config.sizeOr("type_vocab_size", 2),
                       .norm = Norm{}};
    const int heads = config.size({"num_attention_heads"});
    Block block;
    block.mixer = Attention{.heads = heads, .kvHeads = heads, .causal = false};
    block.ffn = DenseFfn{.dFf = config.size({"intermediate_size"}),
                         .activation = activationOf(config, "hidden_act", "gelu")};
    block.placement = NormPlacement::post;
    model.runs = {{block, config.size({"num_hidden_layers"})}};
    model.finalNorm = Norm::absent();
    model.head = {.kind = head};
    refuseOtherModels(config);
    config.ignore({"attention_probs_dropout_prob",
                   "classifier_dropout",
                   "directionality",
                   "hidden_dropout_prob",
                   "layer_norm_eps",
                   "tie_word_embeddings"});
    return model;
}

} // namespace

const Family& bertFamily()
{
    static const Family kFamily{"bert", "BERT", kArchitectures, import};
    return kFamily;
}

} // namespace flopsmith
