// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/deepseek_like.h"

namespace flopsmith {
namespace {

// A number of experts or groups, for which null and 0 mean that there are none.
int countOf(ConfigReader& config, const char* key, int classDefault)
{
    if (config.named(key) && !config.has(key)) {
        config.ignore({key});
        return 0;
    }
    return config.countOr({key}, classDefault);
}

void setScore(ConfigReader& config, MoeFfn& experts, const char* classDefault)
{
    const std::string score = config.text({"scoring_func"}, classDefault);
    if (score != "softmax" && score != "sigmoid") {
        config.fail("scoring_func",
                    shownValue(score) + " is not supported; supported are softmax and sigmoid");
    }
    experts.score = score == "sigmoid" ? RouterScore::sigmoid : RouterScore::softmax;
}

// greedy: the best of all; group_limited_greedy: of the groups whose best expert is best;
// noaux_tc: of the groups whose two best are best, with a correction of the scores.
void setChoice(ConfigReader& config, MoeFfn& experts, const DeepseekExperts& defaults)
{
    const std::string choice = config.text({"topk_method"}, defaults.choice);
    const int groups = std::max(1, countOf(config, "n_group", defaults.groups));
    const int chosen = std::max(1, countOf(config, "topk_group", defaults.groupsPerToken));
    if (choice != "greedy" && choice != "gready" && choice != "group_limited_greedy"
        && choice != "noaux_tc") {
        config.fail("topk_method",
                    shownValue(choice)
                        + " is not supported; supported are greedy, group_limited_greedy and "
                          "noaux_tc");
    }
    experts.correctionBias = choice == "noaux_tc";
    if (groups > 1 && (choice == "noaux_tc" || choice == "group_limited_greedy")) {
        experts.groups = groups;
        experts.groupsPerToken = chosen;
        experts.groupScore = choice == "noaux_tc" ? GroupScore::twoBest : GroupScore::best;
    }
}

LatentAttention latentAttention(ConfigReader& config, const LatentDefaults& defaults)
{
    constexpr int kQueryRank = 1536;
    LatentAttention attention{.heads =
                                  config.sizeOr({"num_attention_heads"}, defaults.decoder.heads)};
    if (config.named("q_lora_rank") || defaults.queryLatents) {
        attention.qLoraRank = config.named("q_lora_rank")
            ? config.optionalSize({"q_lora_rank"}).value_or(0)
            : config.sizeOr({"q_lora_rank"}, kQueryRank);
    } else {
        config.note("q_lora_rank is missing: queries are taken as projected directly");
    }
    attention.kvLoraRank = config.sizeOr({"kv_lora_rank"}, 512);
    attention.qkNopeDim = config.sizeOr({"qk_nope_head_dim"}, 128);
    attention.qkRopeDim = config.sizeOr({"qk_rope_head_dim"}, 64);
    attention.vHeadDim = config.sizeOr({"v_head_dim"}, 128);
    attention.bias = config.flag("attention_bias", false);
    config.ignore({"head_dim", "num_key_value_heads", "qk_head_dim"});
    return attention;
}

} // namespace

void setDeepseekExperts(ConfigReader& config, Model& model, const DeepseekExperts& defaults)
{
    MoeFfn experts = expertsLike(model);
    experts.experts = countOf(config, "n_routed_experts", defaults.routed);
    experts.sharedExperts = countOf(config, "n_shared_experts", defaults.shared);
    experts.perToken = countOf(config, "num_experts_per_tok", defaults.perToken);
    experts.dFf = config.sizeOr({"moe_intermediate_size"}, defaults.dFf);
    experts.sharedDFf = experts.dFf;
    experts.renormalise = config.flag("norm_topk_prob", defaults.renormalise);
    experts.scale = config.realOr({"routed_scaling_factor"}, defaults.scale);
    setScore(config, experts, defaults.score);
    setChoice(config, experts, defaults);
    const int dense = config.countOr({"first_k_dense_replace"}, defaults.firstDense);
    const int step = config.has("moe_layer_freq") ? config.sizeOr({"moe_layer_freq"}, 1) : 1;
    config.ignore({"moe_layer_freq"});
    if (experts.experts > 0 && experts.perToken == 0) {
        config.fail("num_experts_per_tok", "missing; experts need this number");
    }
    if (experts.experts > 0) {
        setExperts(model, experts, [=](int layer) { return layer >= dense && layer % step == 0; });
    }
}

Model latentDecoder(ConfigReader& config,
                    const LatentDefaults& defaults,
                    const Architecture& architecture)
{
    Model model =
        plainDecoder(config, defaults.decoder, architecture, latentAttention(config, defaults));
    setDeepseekExperts(config, model, defaults.experts);
    const int extra = config.has("num_nextn_predict_layers")
        ? config.countOr({"num_nextn_predict_layers"}, 0)
        : 0;
    config.ignore({"num_nextn_predict_layers"});
    if (extra > 0) {
        config.note("num_nextn_predict_layers: the layers that predict further tokens are not part "
                    "of this forward pass and not imported");
    }
    config.requireFlag("mlp_bias", false, "biases of the FFNs are not known from this family");
    return model;
}

} // namespace flopsmith
