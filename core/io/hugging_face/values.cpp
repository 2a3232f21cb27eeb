// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/values.h"

#include "core/io/hugging_face/rotary_angles.h"
#include "core/json/json.h"
#include "core/mixer/latent_attention.h"
#include "core/mixer/mamba2.h"

#include <algorithm>
#include <cmath>

namespace flopsmith {
namespace {

// Defaults of a family's classes, and the key of their ε; an empty key means that it is fixed.
struct FamilyValues
{
    std::string_view modelType;
    const char* epsilonKey = "";
    double epsilon = 0.0;
    double ropeBase = 10'000.0;
    double slidingBase = 0.0;
};

constexpr FamilyValues kFamilyValues[]{
    {"gpt2", "layer_norm_epsilon", 1e-5},
    {"gpt_neo", "layer_norm_epsilon", 1e-5},
    {"gptj", "layer_norm_epsilon", 1e-5},
    {"gpt_neox", "layer_norm_eps", 1e-5},
    {"codegen", "layer_norm_epsilon", 1e-5},
    {"gpt_bigcode", "layer_norm_epsilon", 1e-5},
    {"openai-gpt", "layer_norm_epsilon", 1e-5},
    {"xglm", "", 1e-5},
    {"biogpt", "", 1e-5},
    {"persimmon", "layer_norm_eps", 1e-5},
    {"opt", "", 1e-5},
    {"bloom", "layer_norm_epsilon", 1e-5},
    {"falcon", "layer_norm_epsilon", 1e-5},
    {"RefinedWeb", "layer_norm_epsilon", 1e-5},
    {"RefinedWebModel", "layer_norm_epsilon", 1e-5},
    {"mpt", "layer_norm_epsilon", 1e-5},
    {"bert", "layer_norm_eps", 1e-12},
    {"distilbert", "", 1e-12},
    {"roberta", "layer_norm_eps", 1e-12},
    {"xlm-roberta", "layer_norm_eps", 1e-12},
    {"xlm-roberta-xl", "layer_norm_eps", 1e-5},
    {"camembert", "layer_norm_eps", 1e-12},
    {"ernie", "layer_norm_eps", 1e-12},
    {"megatron-bert", "layer_norm_eps", 1e-12},
    {"mpnet", "layer_norm_eps", 1e-12},
    {"electra", "layer_norm_eps", 1e-12},
    {"albert", "layer_norm_eps", 1e-12},
    {"fnet", "layer_norm_eps", 1e-12},
    {"vit", "layer_norm_eps", 1e-12},
    {"vit_msn", "layer_norm_eps", 1e-6},
    {"deit", "layer_norm_eps", 1e-12},
    {"t5", "layer_norm_epsilon", 1e-6},
    {"mt5", "layer_norm_epsilon", 1e-6},
    {"switch_transformers", "layer_norm_epsilon", 1e-6},
    {"mixtral", "rms_norm_eps", 1e-5, 1e6},
    {"gemma3_text", "rms_norm_eps", 1e-6, 1e6, 1e4},
    {"gemma3", "rms_norm_eps", 1e-6, 1e6, 1e4},
    {"phi", "layer_norm_eps", 1e-5},
    {"phi3", "rms_norm_eps", 1e-5},
    {"stablelm", "layer_norm_eps", 1e-5},
    {"starcoder2", "norm_epsilon", 1e-5},
    {"olmo", "", 1e-5},
    {"olmo2", "rms_norm_eps", 1e-5},
    {"olmo3", "rms_norm_eps", 1e-5, 5e5, 5e5},
    {"olmoe", "rms_norm_eps", 1e-5},
    {"flex_olmo", "rms_norm_eps", 1e-6, 5e5},
    {"ministral3", "rms_norm_eps", 1e-5, 1e6},
    {"cohere", "layer_norm_eps", 1e-5, 5e5},
    {"cohere2", "layer_norm_eps", 1e-5},
    {"glm", "rms_norm_eps", 1.5625e-7},
    {"glm4", "rms_norm_eps", 1.5625e-7},
    {"glm4_moe", "rms_norm_eps", 1e-5},
    {"nemotron", "norm_eps", 1e-5},
    {"smollm3", "rms_norm_eps", 1e-6, 2e6},
    {"exaone4", "rms_norm_eps", 1e-5},
    {"ernie4_5", "rms_norm_eps", 1e-5, 5e5},
    {"hunyuan_v1_dense", "rms_norm_eps", 1e-5},
    {"arcee", "rms_norm_eps", 1e-5},
    {"helium", "rms_norm_eps", 1e-8, 1e5},
    {"gpt_oss", "rms_norm_eps", 1e-5, 150'000.0},
    {"mamba2", "layer_norm_epsilon", 1e-5},
    {"nemotron_h", "layer_norm_epsilon", 1e-5},
    {"bamba", "rms_norm_eps", 1e-5},
};

// All others are of the Llama kind.
FamilyValues valuesOf(std::string_view modelType)
{
    const auto* const found =
        std::find_if(std::begin(kFamilyValues),
                     std::end(kFamilyValues),
                     [modelType](const FamilyValues& v) { return v.modelType == modelType; });
    return found == std::end(kFamilyValues) ? FamilyValues{modelType, "rms_norm_eps", 1e-6}
                                            : *found;
}

void setEpsilon(double epsilon, Block& block)
{
    block.norm.epsilon = epsilon;
    if (auto* attention = get_if<Attention>(&block.mixer)) {
        attention->qkNormEpsilon = attention->normalisesQk() ? epsilon : kNormEpsilon;
    }
    if (auto* stateSpace = get_if<Mamba2>(&block.mixer)) {
        stateSpace->normEpsilon = epsilon;
    }
    if (auto* latent = get_if<LatentAttention>(&block.mixer)) {
        latent->normEpsilon = 1e-6; // fixed in the library's classes, whatever the file says
    }
}

void setEpsilons(ConfigReader& config, const FamilyValues& values, Model& model)
{
    const double epsilon = *values.epsilonKey == '\0'
        ? values.epsilon
        : config.positiveOr(values.epsilonKey, values.epsilon, 1.0);
    for (Norm* norm : {&model.embedding.norm, &model.finalNorm}) {
        if (norm->kind != NormKind::none) {
            norm->epsilon = epsilon;
        }
    }
    if (model.hasEncoder()) {
        model.encoderNorm.epsilon = epsilon;
    }
    if (model.head.hasTransform()) {
        model.head.norm.epsilon = epsilon;
    }
    for (BlockRun& run : model.runs) {
        setEpsilon(epsilon, run.block);
    }
}

bool isRotary(const Block& block)
{
    const auto* attention = get_if<Attention>(&block.mixer);
    return holds_alternative<LatentAttention>(block.mixer)
        || (attention != nullptr && attention->rotary);
}

void setAngles(ConfigReader& config, const FamilyValues& values, Model& model)
{
    if (std::none_of(model.runs.begin(), model.runs.end(), [](const BlockRun& run) {
            return isRotary(run.block);
        })) {
        return;
    }
    const RotaryAngles angles =
        rotaryAngles(config, {.base = values.ropeBase, .slidingBase = values.slidingBase});
    for (BlockRun& run : model.runs) {
        if (auto* attention = get_if<Attention>(&run.block.mixer)) {
            const Rope& rope = attention->window > 0 ? angles.sliding : angles.full;
            attention->rope = attention->rotary ? rope : Rope{};
        } else if (auto* latent = get_if<LatentAttention>(&run.block.mixer)) {
            latent->rope = angles.full;
            if (angles.scoreFactor != 1.0) {
                latent->scoreScale = angles.scoreFactor * latent->scoreFactor();
            }
        }
    }
}

void setScoreScale(double scale, Model& model)
{
    for (BlockRun& run : model.runs) {
        auto* attention = get_if<Attention>(&run.block.mixer);
        if (attention == nullptr || !attention->scaleScores) {
            continue;
        }
        attention->scoreScale = 0.0;
        const double usual = attention->scoreFactor(attention->headDimFor(model.dModel));
        attention->scoreScale = scale == usual ? 0.0 : scale;
    }
}

// Gemma-2 and Gemma-3 divide scores by the root of a number of their file.
void readGemmaScale(ConfigReader& config, Model& model)
{
    constexpr double kUsual = 256.0;
    const double scalar = config.positiveOr("query_pre_attn_scalar", kUsual);
    setScoreScale(1.0 / std::sqrt(scalar), model);
}

void readGraniteFactors(ConfigReader& config, Model& model)
{
    const auto factor = [&config](const char* key) { return config.positiveOr(key, 1.0); };
    if (model.embedding.scale) {
        model.embedding.scaleFactor = factor("embedding_multiplier");
    }
    if (model.head.scale) {
        model.head.scaleFactor = 1.0 / factor("logits_scaling");
    }
    setScoreScale(factor("attention_multiplier"), model);
    for (BlockRun& run : model.runs) {
        if (run.block.residualScale) {
            run.block.residualFactor = factor("residual_multiplier");
        }
    }
}

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

void readValues(ConfigReader& config, const Family& family, Model& model)
{
    const FamilyValues values = valuesOf(family.modelType);
    setEpsilons(config, values, model);
    setAngles(config, values, model);
    if (isOneOf(family.modelType, {"gemma2", "gemma3", "gemma3_text"})) {
        readGemmaScale(config, model);
    } else if (isOneOf(family.modelType,
                       {"granite", "granitemoe", "granitemoeshared", "granitemoehybrid"})) {
        readGraniteFactors(config, model);
    } else if (isOneOf(family.modelType, {"cohere", "cohere2"})) {
        constexpr double kLogitScale = 0.0625;
        model.head.scaleFactor =
            model.head.scale ? config.positiveOr("logit_scale", kLogitScale) : 0.0;
    } else if (family.modelType == "mpt" && config.value("logit_scale").is_number()) {
        model.head.scaleFactor = config.positiveOr("logit_scale", 1.0);
    }
}

} // namespace flopsmith
