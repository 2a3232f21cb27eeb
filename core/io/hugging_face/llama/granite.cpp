// SPDX-License-Identifier: MIT
#include "core/ffn/moe.h"
#include "core/io/hugging_face/llama/decoder.h"
#include "core/io/hugging_face/llama/moe.h"

namespace flopsmith {
namespace {

constexpr Architecture kGraniteArchitectures[]{
    {"GraniteForCausalLM", HeadKind::lm},
    {"GraniteModel", HeadKind::none},
};

constexpr Architecture kMoeArchitectures[]{
    {"GraniteMoeForCausalLM", HeadKind::lm},
    {"GraniteMoeModel", HeadKind::none},
};

bool multiplies(ConfigReader& config, const char* key)
{
    return config.realOr({key}, 1.0) != 1.0;
}

// Like Llama, with factors of embeddings, scores, residuals and logits; a factor of 1 is left out.
Model graniteDecoder(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, DecoderDefaults{}, architecture);
    readAttentionBias(config, model, false);
    model.embedding.scale = multiplies(config, "embedding_multiplier");
    attentionIn(model).scaleScores = multiplies(config, "attention_multiplier");
    blockIn(model).residualScale = multiplies(config, "residual_multiplier");
    model.head.scale = multiplies(config, "logits_scaling");
    return model;
}

Model importGranite(ConfigReader& config, const Architecture& architecture)
{
    Model model = graniteDecoder(config, architecture);
    get<GatedFfn>(blockIn(model).ffn).bias = config.flag("mlp_bias", false);
    return model;
}

// The experts are chosen by their logits, and only the chosen are scored.
Model importMoe(ConfigReader& config, const Architecture& architecture)
{
    Model model = graniteDecoder(config, architecture);
    MoeFfn experts = expertsLike(model);
    experts.experts = config.sizeOr({"num_local_experts"}, 8);
    experts.perToken = config.sizeOr({"num_experts_per_tok"}, 2);
    experts.scored = ScoredExperts::chosen;
    blockIn(model).ffn = experts;
    return model;
}

constexpr Architecture kSharedArchitectures[]{
    {"GraniteMoeSharedForCausalLM", HeadKind::lm},
    {"GraniteMoeSharedModel", HeadKind::none},
};

// With one expert that every token sees, if it has a width.
Model importMoeShared(ConfigReader& config, const Architecture& architecture)
{
    Model model = importMoe(config, architecture);
    auto& experts = get<MoeFfn>(blockIn(model).ffn);
    const int width = config.countOr({"shared_intermediate_size"}, 0);
    if (width > 0) {
        experts.sharedExperts = 1;
        experts.sharedDFf = width;
    }
    return model;
}

} // namespace

const Family& graniteFamily()
{
    static const Family kFamily{"granite", "Granite", kGraniteArchitectures, importGranite};
    return kFamily;
}

const Family& granitemoeFamily()
{
    static const Family kFamily{"granitemoe", "Granite-MoE", kMoeArchitectures, importMoe};
    return kFamily;
}

const Family& granitemoesharedFamily()
{
    static const Family kFamily{
        "granitemoeshared", "Granite-MoE, shared expert", kSharedArchitectures, importMoeShared};
    return kFamily;
}

} // namespace flopsmith
