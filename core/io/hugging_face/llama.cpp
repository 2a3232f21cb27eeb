// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/llama.h"

namespace flopsmith {
namespace {

constexpr Architecture kArchitectures[]{
    {"LlamaForCausalLM", HeadKind::lm},
    {"LLaMAForCausalLM", HeadKind::lm},
    {"LlamaModel", HeadKind::none},
};

Attention attentionOf(ConfigReader& config, int dModel)
{
    Attention attention{.qkvBias = false, .outBias = false, .rotary = true};
    attention.heads = config.size({"num_attention_heads"});
    attention.kvHeads = config.optionalSize({"num_key_value_heads"}).value_or(attention.heads);
    const std::optional<int> headDim = config.optionalSize({"head_dim"});
    if (headDim && std::int64_t{*headDim} * attention.heads != dModel) {
        attention.headDim = *headDim; // otherwise it follows d_model
    }
    return attention;
}

// Scaling changes the angles, which stand in a table, and not what is done with them.
void readRotary(ConfigReader& config)
{
    config.ignore({"rope_theta", "rope_interleaved", "max_position_embeddings"});
    for (const char* key : {"rope_scaling", "rope_parameters"}) {
        const bool scaled = config.has(key);
        config.ignore({key});
        if (scaled) {
            config.note(std::string(key) + ": changes angles, not the cost");
        }
    }
}

Model import(ConfigReader& config, HeadKind head)
{
    Model model = llamaLike(config, head);
    Block& block = model.runs.front().block;
    const bool attentionBias = config.flag("attention_bias", false);
    std::get<Attention>(block.mixer).qkvBias = attentionBias;
    std::get<Attention>(block.mixer).outBias = attentionBias;
    std::get<GatedFfn>(block.ffn).bias = config.flag("mlp_bias", false);
    config.ignore({"is_llama_config"});
    return model;
}

} // namespace

Model llamaLike(ConfigReader& config, HeadKind head)
{
    Model model;
    model.dModel = config.size({"hidden_size"});
    model.embedding = {.vocab = config.size({"vocab_size"}), .positions = Positions::none};
    Block block;
    block.mixer = attentionOf(config, model.dModel);
    block.ffn = GatedFfn{.dFf = config.size({"intermediate_size"}),
                         .activation = activationOf(config, "hidden_act", "silu")};
    block.norm = Norm::rms();
    model.runs = {{block, config.size({"num_hidden_layers"})}};
    model.finalNorm = Norm::rms();
    model.head = {.kind = head, .tied = config.flag("tie_word_embeddings", false)};
    readRotary(config);
    config.ignore({"attention_dropout", "rms_norm_eps", "pretraining_tp"});
    return model;
}

const Family& llamaFamily()
{
    static const Family kFamily{"llama", "Llama", kArchitectures, import};
    return kFamily;
}

} // namespace flopsmith
