// SPDX-License-Identifier: MIT
#include "core/ffn/dense.h"
#include "core/ffn/moe.h"
#include "core/io/hugging_face/mamba/mamba_like.h"
#include "core/json/json.h"

#include <algorithm>
#include <array>

namespace flopsmith {
namespace {

constexpr Architecture kNemotronHArchitectures[]{
    {"NemotronHForCausalLM", HeadKind::lm},
    {"NemotronHModel", HeadKind::none},
};

constexpr StateSpaceKeys kNemotronHKeys{.heads = "mamba_num_heads",
                                        .headDim = "mamba_head_dim",
                                        .usualHeadDim = 64,
                                        .state = "ssm_state_size",
                                        .usualState = 128,
                                        .groups = "n_groups",
                                        .usualGroups = 8,
                                        .taps = "conv_kernel",
                                        .expand = nullptr,
                                        .chunk = "chunk_size",
                                        .usualChunk = 128,
                                        .convBias = "use_conv_bias",
                                        .bias = "use_bias",
                                        .activation = "mamba_hidden_act"};

enum class PartOfBlock { stateSpace, attention, mlp, experts };

struct PartName
{
    char letter;
    std::string_view name;
    std::string_view earlier; ///< in version 4
    PartOfBlock part;
};

constexpr std::array<PartName, 4> kPartNames{{
    {'M', "linear_attention", "mamba", PartOfBlock::stateSpace},
    {'*', "full_attention", "attention", PartOfBlock::attention},
    {'-', "mlp", "mlp", PartOfBlock::mlp},
    {'E', "moe", "moe", PartOfBlock::experts},
}};

std::vector<PartOfBlock> partsOfPattern(ConfigReader& config)
{
    std::vector<PartOfBlock> parts;
    for (const char letter : config.text({"hybrid_override_pattern"}, "")) {
        const auto* const found =
            std::find_if(kPartNames.begin(), kPartNames.end(), [letter](const PartName& name) {
                return name.letter == letter;
            });
        if (found == kPartNames.end()) {
            config.fail("hybrid_override_pattern",
                        std::string("'") + letter + "' is not known; known are M, *, - and E");
            return parts;
        }
        parts.push_back(found->part);
    }
    return parts;
}

std::vector<PartOfBlock> partsOfList(ConfigReader& config, const char* key)
{
    const Json& list = config.value(key);
    std::vector<PartOfBlock> parts;
    if (!list.is_array()) {
        config.fail(key, "expected a list of names, found " + json::shownValue(list));
        return parts;
    }
    for (const Json& each : list) {
        const std::string named = each.is_string() ? each.get<std::string>() : "";
        const auto* const found =
            std::find_if(kPartNames.begin(), kPartNames.end(), [&named](const PartName& name) {
                return name.name == named || name.earlier == named;
            });
        if (found == kPartNames.end()) {
            config.fail(key,
                        json::shownValue(each)
                            + " is not known; known are linear_attention, full_attention, mlp and "
                              "moe");
            return parts;
        }
        parts.push_back(found->part);
    }
    return parts;
}

// One for each block: their list or pattern gives their number too.
std::vector<PartOfBlock> partsOfBlocks(ConfigReader& config)
{
    config.ignore({"num_hidden_layers"});
    for (const char* key : {"layers_block_type", "layer_types"}) {
        if (config.has(key)) {
            config.ignore({"hybrid_override_pattern", "layers_block_type", "layer_types"});
            return partsOfList(config, key);
        }
    }
    if (config.has("hybrid_override_pattern")) {
        return partsOfPattern(config);
    }
    config.assumed("layers_block_type", "linear_attention, moe, full_attention, mlp");
    return {
        PartOfBlock::stateSpace, PartOfBlock::experts, PartOfBlock::attention, PartOfBlock::mlp};
}

DenseFfn mlpOf(ConfigReader& config)
{
    return {.dFf = config.sizeOr({"intermediate_size"}, 21504),
            .activation = activationOf(config, {"mlp_hidden_act"}, "relu2"),
            .bias = config.flag("mlp_bias", false)};
}

// Not gated; sigmoid scores, corrected for the choice; the shared one has a width of its own,
// whatever number of them the file says.
MoeFfn experts(ConfigReader& config, const DenseFfn& mlp)
{
    MoeFfn experts{.experts = config.sizeOr({"n_routed_experts", "num_local_experts"}, 8),
                   .perToken = config.sizeOr({"num_experts_per_tok"}, 2),
                   .expert = ExpertKind::dense,
                   .dFf = config.sizeOr({"moe_intermediate_size"}, 7688),
                   .activation = mlp.activation,
                   .score = RouterScore::sigmoid,
                   .renormalise = config.flag("norm_topk_prob", true),
                   .scale = config.realOr({"routed_scaling_factor"}, 1.0),
                   .correctionBias = true};
    experts.sharedExperts = 1;
    experts.sharedDFf = config.sizeOr({"moe_shared_expert_intermediate_size"}, 7688);
    const int groups = config.sizeOr({"n_group"}, 1);
    const int chosen = config.sizeOr({"topk_group"}, 1);
    if (groups > 1) {
        experts.groups = groups;
        experts.groupsPerToken = chosen;
    }
    return experts;
}

void refuseOtherExperts(ConfigReader& config)
{
    if (config.has("moe_latent_size")) {
        config.fail("moe_latent_size", "experts between two projections are not supported");
    }
    if (config.flag("mlp_bias", false)) {
        config.fail("mlp_bias", "shared experts with biases beside routed ones without");
    }
}

// Each block is a norm and one part: Mamba-2, attention without positions, an FFN or experts.
Model importNemotronH(ConfigReader& config, const Architecture& architecture)
{
    const int width = config.sizeOr({"hidden_size"}, 4096);
    const std::vector<PartOfBlock> parts = partsOfBlocks(config);
    const Mamba2 stateSpace = stateSpaceOf(config, kNemotronHKeys, width);
    const DenseFfn mlp = mlpOf(config);
    const MoeFfn routed = experts(config, mlp);
    const int heads = config.sizeOr({"num_attention_heads"}, 32);
    const int headDim = config.sizeOr({"head_dim", "attention_head_dim"}, 128);
    const Attention attention{.heads = heads,
                              .kvHeads = kvHeadsOf(config, 8, heads),
                              .headDim = storedHeadDim(headDim, heads, width),
                              .qkvBias = false,
                              .outBias = false};
    if (std::find(parts.begin(), parts.end(), PartOfBlock::experts) != parts.end()) {
        refuseOtherExperts(config);
    }
    Model model;
    model.dModel = width;
    for (const PartOfBlock part : parts) {
        Block block;
        block.norm = Norm::rms();
        block.mixer = part == PartOfBlock::stateSpace ? MixerSpec(stateSpace)
            : part == PartOfBlock::attention          ? MixerSpec(attention)
                                                      : MixerSpec();
        block.ffn = part == PartOfBlock::mlp ? FfnSpec(mlp)
            : part == PartOfBlock::experts   ? FfnSpec(routed)
                                             : FfnSpec();
        model.runs.push_back({block, 1});
    }
    if (model.runs.empty()) {
        config.fail("layers_block_type", "there is no block");
        model.runs.push_back({});
    }
    model.joinEqualRuns();
    model.embedding = {.vocab = config.sizeOr({"vocab_size"}, 131072),
                       .positions = Positions::none};
    model.finalNorm = Norm::rms();
    model.head = {.kind = architecture.head, .tied = false};
    if (config.flag("tie_word_embeddings", false)) {
        config.note("tie_word_embeddings: the library's class has a head of its own all the same");
    }
    readRotary(config);
    config.ignoreNoting({"num_nextn_predict_layers", "mtp_layers_block_type"},
                        "layers that predict further tokens are not counted");
    config.ignore({"n_shared_experts",
                   "attention_bias",
                   "sliding_window",
                   "expand",
                   "moe_latent_size",
                   "mtp_hybrid_override_pattern",
                   "moe_shared_expert_overlap"});
    return model;
}

} // namespace

const Family& nemotronHFamily()
{
    static const Family kFamily{
        "nemotron_h", "Nemotron-H", kNemotronHArchitectures, importNemotronH};
    return kFamily;
}

} // namespace flopsmith
