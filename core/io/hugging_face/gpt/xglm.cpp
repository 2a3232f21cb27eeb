// SPDX-License-Identifier: MIT
#include "core/ffn/dense.h"
#include "core/io/hugging_face/common.h"

namespace flopsmith {
namespace {

constexpr Architecture kXglmArchitectures[]{
    {"XGLMForCausalLM", HeadKind::lm},
    {"XGLMModel", HeadKind::none},
};

constexpr Architecture kBiogptArchitectures[]{
    {"BioGptForCausalLM", HeadKind::lm},
    {"BioGptModel", HeadKind::none},
};

/// Sizes of a decoder of the fairseq kind.
struct FairseqSizes
{
    int vocab = 0;
    int width = 0;
    int layers = 0;
    int heads = 0;
    int dFf = 0;
};

// LayerNorm before each part and at the end, biases everywhere, embeddings times √d, a tied head.
Model fairseqDecoder(ConfigReader& config,
                     const FairseqSizes& sizes,
                     Activation activation,
                     const Architecture& architecture)
{
    Block block;
    block.mixer = Attention{.heads = sizes.heads, .kvHeads = sizes.heads};
    block.ffn = DenseFfn{.dFf = sizes.dFf, .activation = activation};
    Model model = stackOf(block, sizes.layers);
    model.dModel = sizes.width;
    model.embedding = {.vocab = sizes.vocab, .scale = config.flag("scale_embedding", true)};
    model.head = {.kind = architecture.head, .tied = config.flag("tie_word_embeddings", true)};
    return model;
}

Model importXglm(ConfigReader& config, const Architecture& architecture)
{
    const FairseqSizes sizes{.vocab = config.sizeOr({"vocab_size"}, 256008),
                             .width = config.sizeOr({"d_model", "hidden_size"}, 1024),
                             .layers = config.layersOr({"num_layers", "num_hidden_layers"}, 24),
                             .heads = config.sizeOr({"attention_heads", "num_attention_heads"}, 16),
                             .dFf = config.sizeOr({"ffn_dim"}, 4096)};
    const Activation activation = activationOf(config, {"activation_function"}, "gelu");
    Model model = fairseqDecoder(config, sizes, activation, architecture);
    model.embedding.positions = Positions::sinusoidal;
    config.ignore({"max_position_embeddings"});
    config.requireFlag("add_cross_attention", false, "it adds a second attention to every block");
    return model;
}

// Two rows of the position table come before the first token's.
Model importBiogpt(ConfigReader& config, const Architecture& architecture)
{
    constexpr int kOffset = 2;
    const FairseqSizes sizes{.vocab = config.sizeOr({"vocab_size"}, 42384),
                             .width = config.sizeOr({"hidden_size"}, 1024),
                             .layers = config.layersOr({"num_hidden_layers"}, 24),
                             .heads = config.sizeOr({"num_attention_heads"}, 16),
                             .dFf = config.sizeOr({"intermediate_size"}, 4096)};
    const Activation activation = activationOf(config, {"hidden_act"}, "gelu");
    Model model = fairseqDecoder(config, sizes, activation, architecture);
    const int positions = config.sizeOr({"max_position_embeddings"}, 1024);
    model.embedding.positionRows = std::min(positions, 1 << 30) + kOffset;
    config.ignore({"layer_norm_eps"}); // its classes take PyTorch's
    return model;
}

} // namespace

const Family& xglmFamily()
{
    static const Family kFamily{"xglm", "XGLM", kXglmArchitectures, importXglm};
    return kFamily;
}

const Family& biogptFamily()
{
    static const Family kFamily{"biogpt", "BioGPT", kBiogptArchitectures, importBiogpt};
    return kFamily;
}

} // namespace flopsmith
