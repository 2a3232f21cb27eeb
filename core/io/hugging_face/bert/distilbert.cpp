// SPDX-License-Identifier: MIT
#include "core/ffn/dense.h"
#include "core/io/hugging_face/bert/encoder.h"

namespace flopsmith {
namespace {

constexpr Architecture kDistilbertArchitectures[]{
    {"DistilBertModel", HeadKind::none},
    {"DistilBertForMaskedLM", HeadKind::lm},
};

// BERT without token types and pooler, under keys of its own.
Model importDistilbert(ConfigReader& config, const Architecture& architecture)
{
    const int heads = config.sizeOr({"n_heads", "num_attention_heads"}, 12);
    const Activation activation = activationOf(config, {"activation"}, "gelu");
    Block block;
    block.mixer = Attention{.heads = heads, .kvHeads = heads, .causal = false};
    block.ffn = DenseFfn{.dFf = config.sizeOr({"hidden_dim"}, 3072), .activation = activation};
    block.placement = NormPlacement::post;
    Model model = stackOf(block, config.layersOr({"n_layers", "num_hidden_layers"}, 6));
    model.dModel = config.sizeOr({"dim", "hidden_size"}, 768);
    model.embedding = {.vocab = config.sizeOr({"vocab_size"}, 30522),
                       .positions = Positions::learned,
                       .positionRows = config.sizeOr({"max_position_embeddings"}, 512),
                       .norm = Norm{}};
    model.finalNorm = Norm::absent();
    model.head = encoderHead(config, architecture, activation);
    // Stored and trained like a learned table, but initialised with sines.
    config.ignore({"sinusoidal_pos_embds", "tie_weights_"});
    config.refuseContent("pruned_heads", "blocks would differ in their heads");
    return model;
}

} // namespace

const Family& distilbertFamily()
{
    static const Family kFamily{
        "distilbert", "DistilBERT", kDistilbertArchitectures, importDistilbert};
    return kFamily;
}

} // namespace flopsmith
