// SPDX-License-Identifier: MIT
#include "core/ffn/gated.h"
#include "core/ffn/moe.h"
#include "core/io/hugging_face/llama/moe.h"
#include "core/io/hugging_face/mamba/mamba_like.h"

namespace flopsmith {
namespace {

constexpr Architecture kHybridArchitectures[]{
    {"GraniteMoeHybridForCausalLM", HeadKind::lm},
    {"GraniteMoeHybridModel", HeadKind::none},
};

bool isNotOne(ConfigReader& config, const char* key)
{
    return config.realOr({key}, 1.0) != 1.0;
}

// Every block has a shared FFN, and experts beside it if there are any, scored when they are chosen.
void setHybridFfn(ConfigReader& config, Model& model)
{
    auto& shared = get<GatedFfn>(blockIn(model).ffn);
    const int width = config.sizeOr({"shared_intermediate_size"}, 1024);
    const int number = config.countOrNone({"num_local_experts"}, 8);
    const int perToken = config.countOrNone({"num_experts_per_tok"}, 2);
    if (number == 0) {
        shared.dFf = width;
        return;
    }
    MoeFfn experts = expertsLike(model);
    experts.experts = number;
    experts.perToken = perToken;
    experts.scored = ScoredExperts::chosen;
    experts.sharedExperts = 1;
    experts.sharedDFf = width;
    blockIn(model).ffn = experts;
}

// Granite with Mamba-2 in most blocks; without position_embedding_type "rope" attention has no
// positions.
Model importGraniteHybrid(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, DecoderDefaults{}, architecture);
    readAttentionBias(config, model, false);
    attentionIn(model).rotary = config.has("position_embedding_type")
        && config.text({"position_embedding_type"}, "") == "rope";
    config.ignore({"position_embedding_type"});
    attentionIn(model).scaleScores = isNotOne(config, "attention_multiplier");
    model.embedding.scale = isNotOne(config, "embedding_multiplier");
    blockIn(model).residualScale = isNotOne(config, "residual_multiplier");
    model.head.scale = isNotOne(config, "logits_scaling");
    setHybridFfn(config, model);
    const Mamba2 mixer = stateSpaceOf(config, {}, model.dModel);
    const char* key = config.has("layers_block_type") ? "layers_block_type" : "layer_types";
    std::vector<bool> attends = attendingLayers(config, key, model.layers());
    attends.resize(static_cast<std::size_t>(model.layers()), false);
    setStateSpaces(model, mixer, attends);
    config.ignore({"router_aux_loss_coef", "layer_types"});
    return model;
}

} // namespace

const Family& granitemoehybridFamily()
{
    static const Family kFamily{
        "granitemoehybrid", "Granite-4 hybrid", kHybridArchitectures, importGraniteHybrid};
    return kFamily;
}

} // namespace flopsmith
