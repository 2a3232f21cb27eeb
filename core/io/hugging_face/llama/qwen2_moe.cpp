// SPDX-License-Identifier: MIT
#include "core/ffn/moe.h"
#include "core/io/hugging_face/llama/decoder.h"
#include "core/io/hugging_face/llama/moe.h"

namespace flopsmith {
namespace {

constexpr Architecture kQwen2MoeArchitectures[]{
    {"Qwen2MoeForCausalLM", HeadKind::lm},
    {"Qwen2MoeModel", HeadKind::none},
};

constexpr DecoderDefaults kQwen2MoeDefaults{.vocab = 151936,
                                            .width = 2048,
                                            .dFf = 5632,
                                            .layers = 24,
                                            .heads = 16,
                                            .kvHeads = 16};

// Qwen2 with routed experts and one shared expert behind a gate.
Model importQwen2Moe(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, kQwen2MoeDefaults, architecture);
    attentionIn(model).qkvBias = config.flag("qkv_bias", true);
    MoeFfn experts = expertsLike(model);
    experts.experts = config.sizeOr({"num_experts"}, 60);
    experts.perToken = config.sizeOr({"num_experts_per_tok"}, 4);
    experts.dFf = config.sizeOr({"moe_intermediate_size"}, 1408);
    experts.renormalise = config.flag("norm_topk_prob", false);
    experts.sharedExperts = 1;
    experts.sharedDFf = config.sizeOr({"shared_expert_intermediate_size"}, 5632);
    experts.sharedGate = true;
    readQwenWindow(config, model);
    setExpertsLikeQwen(config, model, experts);
    return model;
}

} // namespace

const Family& qwen2MoeFamily()
{
    static const Family kFamily{"qwen2_moe", "Qwen2-MoE", kQwen2MoeArchitectures, importQwen2Moe};
    return kFamily;
}

} // namespace flopsmith
