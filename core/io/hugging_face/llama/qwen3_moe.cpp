// SPDX-License-Identifier: MIT
#include "core/ffn/moe.h"
#include "core/io/hugging_face/llama/decoder.h"
#include "core/io/hugging_face/llama/moe.h"

namespace flopsmith {
namespace {

constexpr Architecture kQwen3MoeArchitectures[]{
    {"Qwen3MoeForCausalLM", HeadKind::lm},
    {"Qwen3MoeModel", HeadKind::none},
};

constexpr DecoderDefaults kQwen3MoeDefaults{.vocab = 151936,
                                            .width = 2048,
                                            .dFf = 6144,
                                            .layers = 24,
                                            .heads = 32,
                                            .kvHeads = 4};

// Qwen3 with routed experts and no shared ones; the head dimension has no separate default here.
Model importQwen3Moe(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, kQwen3MoeDefaults, architecture);
    readAttentionBias(config, model, false);
    attentionIn(model).qkNorm = QkNorm::perHead;
    MoeFfn experts = expertsLike(model);
    experts.experts = config.sizeOr({"num_experts", "num_local_experts"}, 128);
    experts.perToken = config.sizeOr({"num_experts_per_tok"}, 8);
    experts.dFf = config.sizeOr({"moe_intermediate_size"}, 768);
    experts.renormalise = config.flag("norm_topk_prob", false);
    readQwenWindow(config, model);
    setExpertsLikeQwen(config, model, experts);
    return model;
}

} // namespace

const Family& qwen3MoeFamily()
{
    static const Family kFamily{"qwen3_moe", "Qwen3-MoE", kQwen3MoeArchitectures, importQwen3Moe};
    return kFamily;
}

} // namespace flopsmith
