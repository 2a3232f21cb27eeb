// SPDX-License-Identifier: MIT
#include "core/ffn/dense.h"
#include "core/io/hugging_face/common.h"

namespace flopsmith {
namespace {

constexpr Architecture kGptjArchitectures[]{
    {"GPTJForCausalLM", HeadKind::lm},
    {"GPTJModel", HeadKind::none},
};

// Parallel attention and FFN after one LayerNorm; rotary positions on a part of each head; biases
// in the FFN and in the untied LM head, but not in attention.
Model importGptj(ConfigReader& config, const Architecture& architecture)
{
    const int width = config.sizeOr({"n_embd", "hidden_size"}, 4096);
    const int heads = config.sizeOr({"n_head", "num_attention_heads"}, 16);
    const std::optional<int> rotaryDim = config.named("rotary_dim")
        ? config.optionalSize({"rotary_dim"})
        : config.sizeOr({"rotary_dim"}, 64);
    Block block;
    block.mixer = Attention{.heads = heads,
                            .kvHeads = heads,
                            .qkvBias = false,
                            .outBias = false,
                            .rotary = true,
                            .rotaryDim = rotaryDim == width / heads ? 0 : rotaryDim.value_or(0)};
    block.ffn = DenseFfn{.dFf = config.sizeOrDerived({"n_inner"}, timesWidth(4, width)),
                         .activation = activationOf(config, {"activation_function"}, "gelu_new")};
    block.layout = BlockLayout::parallel;
    block.oneNorm = true;
    Model model = stackOf(block, config.layersOr({"n_layer", "num_hidden_layers"}, 28));
    model.dModel = width;
    model.embedding = {.vocab = config.sizeOr({"vocab_size"}, 50400), .positions = Positions::none};
    model.head = {
        .kind = architecture.head, .tied = config.flag("tie_word_embeddings", false), .bias = true};
    config.ignore({"n_positions", "n_ctx", "scale_attn_weights"});
    config.requireFlag("rotary", true, "the positions of this family are rotary");
    readRotary(config);
    return model;
}

constexpr Architecture kCodegenArchitectures[]{
    {"CodeGenForCausalLM", HeadKind::lm},
    {"CodeGenModel", HeadKind::none},
};

} // namespace

const Family& gptjFamily()
{
    static const Family kFamily{"gptj", "GPT-J", kGptjArchitectures, importGptj};
    return kFamily;
}

// CodeGen is GPT-J under other names of its tensors.
const Family& codegenFamily()
{
    static const Family kFamily{"codegen", "CodeGen", kCodegenArchitectures, importGptj};
    return kFamily;
}

} // namespace flopsmith
