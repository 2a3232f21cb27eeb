// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/deepseek/deepseek_like.h"

#include "core/ffn/moe.h"
#include "core/json/json.h"
#include "core/mixer/latent_attention.h"

namespace flopsmith {
namespace {

constexpr ConfigReader::Spellings kRouted{"n_routed_experts", "num_experts", "num_local_experts"};
constexpr ConfigReader::Spellings kPredicting{"num_nextn_predict_layers", "num_mtp_layers"};

void setScore(ConfigReader& config, MoeFfn& experts, const char* classDefault)
{
    const std::string score = config.text({"scoring_func"}, classDefault);
    if (score != "softmax" && score != "sigmoid") {
        config.fail("scoring_func",
                    json::shownValue(score)
                        + " is not supported; supported are softmax and sigmoid");
    }
    experts.score = score == "sigmoid" ? RouterScore::sigmoid : RouterScore::softmax;
}

// greedy: the best of all; group_limited_greedy: from the groups with the best single expert;
// noaux_tc: from the groups with the best sum of two experts, with a correction of the scores.
void setChoice(ConfigReader& config, MoeFfn& experts, const DeepseekExperts& defaults)
{
    const std::string choice = config.text({"topk_method"}, defaults.choice);
    const int groups = std::max(1, config.countOrNone({"n_group"}, defaults.groups));
    const int chosen = std::max(1, config.countOrNone({"topk_group"}, defaults.groupsPerToken));
    if (choice != "greedy" && choice != "gready" && choice != "group_limited_greedy"
        && choice != "noaux_tc") {
        config.fail("topk_method",
                    json::shownValue(choice)
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

MoeFfn expertsOf(ConfigReader& config, Model& model, const DeepseekExperts& defaults)
{
    MoeFfn experts = expertsLike(model);
    experts.experts = config.countOrNone(kRouted, defaults.routed);
    experts.sharedExperts = config.countOrNone({"n_shared_experts"}, defaults.shared);
    experts.perToken = config.countOrNone({"num_experts_per_tok"}, defaults.perToken);
    experts.dFf = config.sizeOr({"moe_intermediate_size"}, defaults.dFf);
    experts.sharedDFf = experts.dFf;
    experts.renormalise = config.flag("norm_topk_prob", defaults.renormalise);
    experts.scale = config.realOr({"routed_scaling_factor"}, defaults.scale);
    setScore(config, experts, defaults.score);
    setChoice(config, experts, defaults);
    if (experts.experts > 0 && experts.perToken == 0) {
        config.fail("num_experts_per_tok", "missing; experts need this number");
    }
    return experts;
}

// A router without experts to choose from, as the library builds it, leaves only the shared ones.
FfnSpec sharedAlone(ConfigReader& config, const MoeFfn& experts)
{
    if (experts.sharedExperts == 0) {
        config.fail("n_routed_experts", "0 without shared experts leaves blocks without an FFN");
        return GatedFfn{};
    }
    config.note("n_routed_experts: 0: the shared experts alone are counted, as one FFN");
    return get<GatedFfn>(experts.sharedFfn());
}

} // namespace

void setDeepseekExperts(ConfigReader& config, Model& model, const DeepseekExperts& defaults)
{
    const MoeFfn experts = expertsOf(config, model, defaults);
    const int dense = config.countOr({"first_k_dense_replace"}, defaults.firstDense);
    const int step = config.has("moe_layer_freq") ? config.sizeOr({"moe_layer_freq"}, 1) : 1;
    config.ignore({"moe_layer_freq"});
    if (step != 1) {
        config.note(
            "moe_layer_freq: obeyed, as by the model's own code; the library's classes ignore it");
    }
    const bool routes = experts.experts > 0;
    if (routes || config.hasAny(kRouted)) {
        const FfnSpec ffn = routes ? FfnSpec(experts) : sharedAlone(config, experts);
        setFfns(model, ffn, [=](int layer) { return layer >= dense && layer % step == 0; });
    }
}

void notePredicting(ConfigReader& config)
{
    if (config.hasAny(kPredicting) && config.countOr(kPredicting, 0) > 0) {
        config.note("num_nextn_predict_layers: the layers that predict further tokens are not part "
                    "of this forward pass and not imported");
    }
    config.ignore(kPredicting);
}

Model latentDecoder(ConfigReader& config,
                    const LatentDefaults& defaults,
                    const Architecture& architecture)
{
    Model model =
        plainDecoder(config, defaults.decoder, architecture, latentAttention(config, defaults));
    setDeepseekExperts(config, model, defaults.experts);
    notePredicting(config);
    config.ignore({"rope_interleave"});
    config.requireFlag("mlp_bias", false, "biases of the FFNs are not known from this family");
    return model;
}

} // namespace flopsmith
