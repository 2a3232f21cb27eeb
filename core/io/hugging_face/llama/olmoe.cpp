// SPDX-License-Identifier: MIT
#include "core/ffn/moe.h"
#include "core/io/hugging_face/llama/decoder.h"
#include "core/io/hugging_face/llama/moe.h"

namespace flopsmith {
namespace {

constexpr Architecture kOlmoeArchitectures[]{
    {"OlmoeForCausalLM", HeadKind::lm},
    {"OlmoeModel", HeadKind::none},
};

constexpr DecoderDefaults kOlmoeDefaults{.vocab = 50304,
                                         .width = 2048,
                                         .dFf = 2048,
                                         .layers = 16,
                                         .heads = 16};

// As Llama, with experts in every block and norms of queries and keys over all heads together.
Model importOlmoe(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, kOlmoeDefaults, architecture);
    readAttentionBias(config, model, false);
    attentionIn(model).qkNorm = QkNorm::fullWidth;
    attentionIn(model).qkvLimit = qkvLimitOf(config);
    MoeFfn experts = expertsLike(model);
    experts.experts = config.sizeOr({"num_experts", "num_local_experts"}, 64);
    experts.perToken = config.sizeOr({"num_experts_per_tok"}, 8);
    experts.renormalise = config.flag("norm_topk_prob", false);
    blockIn(model).ffn = experts;
    return model;
}

constexpr Architecture kFlexArchitectures[]{
    {"FlexOlmoForCausalLM", HeadKind::lm},
    {"FlexOlmoModel", HeadKind::none},
};

// OLMo-2 with experts.
Model importFlexOlmo(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, {.vocab = 100352}, architecture);
    readAttentionBias(config, model, false);
    attentionIn(model).qkNorm = QkNorm::fullWidth;
    blockIn(model).placement = NormPlacement::output;
    MoeFfn experts = expertsLike(model);
    experts.experts = config.sizeOr({"num_experts", "num_local_experts"}, 7);
    experts.perToken = config.sizeOr({"num_experts_per_tok"}, 5);
    experts.renormalise = config.flag("norm_topk_prob", false);
    blockIn(model).ffn = experts;
    return model;
}

} // namespace

const Family& olmoeFamily()
{
    static const Family kFamily{"olmoe", "OLMoE", kOlmoeArchitectures, importOlmoe};
    return kFamily;
}

const Family& flexOlmoFamily()
{
    static const Family kFamily{"flex_olmo", "FlexOlmo", kFlexArchitectures, importFlexOlmo};
    return kFamily;
}

} // namespace flopsmith
