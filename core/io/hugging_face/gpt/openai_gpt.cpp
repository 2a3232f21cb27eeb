// SPDX-License-Identifier: MIT
#include "core/ffn/dense.h"
#include "core/io/hugging_face/common.h"

namespace flopsmith {
namespace {

constexpr Architecture kOpenaiArchitectures[]{
    {"OpenAIGPTLMHeadModel", HeadKind::lm},
    {"OpenAIGPTModel", HeadKind::none},
};

// Like GPT-2, with norms after the parts and none at the end. Its "gelu" is the approximation by tanh.
Model importOpenaiGpt(ConfigReader& config, const Architecture& architecture)
{
    const int width = config.sizeOr({"n_embd", "hidden_size"}, 768);
    const int heads = config.sizeOr({"n_head", "num_attention_heads"}, 12);
    const Activation activation = activationOf(config, {"afn"}, "gelu");
    Block block;
    block.mixer = Attention{.heads = heads, .kvHeads = heads};
    block.ffn =
        DenseFfn{.dFf = timesWidth(4, width),
                 .activation = activation == Activation::gelu ? Activation::geluTanh : activation};
    block.placement = NormPlacement::post;
    Model model = stackOf(block, config.layersOr({"n_layer", "num_hidden_layers"}, 12));
    model.dModel = width;
    model.embedding = {.vocab = config.sizeOr({"vocab_size"}, 40478),
                       .positions = Positions::learned,
                       .positionRows =
                           config.sizeOr({"n_positions", "max_position_embeddings"}, 512)};
    model.finalNorm = Norm::absent();
    model.head = {.kind = architecture.head, .tied = config.flag("tie_word_embeddings", true)};
    config.ignore({"n_ctx", "n_special"});
    return model;
}

} // namespace

const Family& openaiGptFamily()
{
    static const Family kFamily{"openai-gpt", "GPT", kOpenaiArchitectures, importOpenaiGpt};
    return kFamily;
}

} // namespace flopsmith
