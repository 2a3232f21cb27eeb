// SPDX-License-Identifier: MIT
#include "core/ffn/dense.h"
#include "core/io/hugging_face/common.h"

namespace flopsmith {
namespace {

constexpr Architecture kGpt2Architectures[]{
    {"GPT2LMHeadModel", HeadKind::lm},
    {"GPT2Model", HeadKind::none},
};

// n_ctx is the older name, and files that have both mean n_positions.
int positionRows(ConfigReader& config)
{
    constexpr int kRows = 1024;
    const std::optional<int> context = config.optionalSize({"n_ctx"});
    if (context && !config.named("n_positions") && !config.named("max_position_embeddings")) {
        return *context;
    }
    return config.sizeOr({"n_positions", "max_position_embeddings"}, kRows);
}

// Learned positions, LayerNorm before each part, biases everywhere, d_ff = 4 d unless n_inner is
// given, and an LM head tied to the embedding unless tie_word_embeddings is false.
Model gpt2Like(ConfigReader& config, const Architecture& architecture, const char* activation)
{
    const int width = config.sizeOr({"n_embd", "n_embed", "hidden_size"}, 768);
    const int heads = config.sizeOr({"n_head", "num_attention_heads"}, 12);
    Block block;
    block.mixer = Attention{
        .heads = heads, .kvHeads = heads, .scaleScores = config.flag("scale_attn_weights", true)};
    block.ffn = DenseFfn{.dFf = config.sizeOrDerived({"n_inner"}, timesWidth(4, width)),
                         .activation = activationOf(config, {"activation_function"}, activation)};
    Model model = stackOf(block, config.layersOr({"n_layer", "num_hidden_layers"}, 12));
    model.dModel = width;
    model.embedding = {.vocab = config.sizeOr({"vocab_size"}, 50257),
                       .positions = Positions::learned,
                       .positionRows = positionRows(config)};
    model.head = {.kind = architecture.head, .tied = config.flag("tie_word_embeddings", true)};
    config.ignore({"n_special", "reorder_and_upcast_attn"});
    if (config.flag("scale_attn_by_inverse_layer_idx", false)) {
        config.leftOut("scale_attn_by_inverse_layer_idx: a factor of the scores that joins "
                       "1/sqrt(head_dim), at no cost");
    }
    config.requireFlag("add_cross_attention", false, "it adds a second attention to every block");
    return model;
}

Model importGpt2(ConfigReader& config, const Architecture& architecture)
{
    return gpt2Like(config, architecture, "gelu_new");
}

constexpr Architecture kBigcodeArchitectures[]{
    {"GPTBigCodeForCausalLM", HeadKind::lm},
    {"GPTBigCodeModel", HeadKind::none},
};

// GPT-2 with one head of keys and values (SantaCoder, StarCoder).
Model importBigcode(ConfigReader& config, const Architecture& architecture)
{
    Model model = gpt2Like(config, architecture, "gelu_pytorch_tanh");
    if (config.flag("multi_query", true)) {
        attentionIn(model).kvHeads = 1;
    }
    config.ignore({"attention_softmax_in_fp32",
                   "inference_runner",
                   "max_batch_size",
                   "max_sequence_length",
                   "pad_key_length",
                   "pre_allocate_kv_cache",
                   "scale_attention_softmax_in_fp32",
                   "validate_runner_input"});
    return model;
}

} // namespace

const Family& gpt2Family()
{
    static const Family kFamily{"gpt2", "GPT-2", kGpt2Architectures, importGpt2};
    return kFamily;
}

const Family& gptBigcodeFamily()
{
    static const Family kFamily{"gpt_bigcode", "GPT-BigCode", kBigcodeArchitectures, importBigcode};
    return kFamily;
}

} // namespace flopsmith
