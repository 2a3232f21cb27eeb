// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/llama/decoder.h"

namespace flopsmith {
namespace {

constexpr Architecture kGlmArchitectures[]{
    {"GlmForCausalLM", HeadKind::lm},
    {"GlmModel", HeadKind::none},
};

constexpr Architecture kGlm4Architectures[]{
    {"Glm4ForCausalLM", HeadKind::lm},
    {"Glm4Model", HeadKind::none},
};

constexpr DecoderDefaults kGlmDefaults{.vocab = 151552,
                                       .dFf = 13696,
                                       .layers = 40,
                                       .kvHeads = 2,
                                       .headDim = 128};
constexpr double kGlmRotaryShare = 0.5;

// Like Llama, with rotary positions on half of each head, and biases of queries, keys and values.
Model importGlm(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, kGlmDefaults, architecture);
    Attention& attention = attentionIn(model);
    attention.qkvBias = config.flag("attention_bias", true);
    attention.rotaryDim = rotaryDimOf(
        config, "partial_rotary_factor", kGlmRotaryShare, attention.headDimFor(model.dModel));
    return model;
}

// With a norm after each part besides.
Model importGlm4(ConfigReader& config, const Architecture& architecture)
{
    Model model = importGlm(config, architecture);
    blockIn(model).placement = NormPlacement::sandwich;
    return model;
}

} // namespace

const Family& glmFamily()
{
    static const Family kFamily{"glm", "GLM", kGlmArchitectures, importGlm};
    return kFamily;
}

const Family& glm4Family()
{
    static const Family kFamily{"glm4", "GLM-4", kGlm4Architectures, importGlm4};
    return kFamily;
}

} // namespace flopsmith
