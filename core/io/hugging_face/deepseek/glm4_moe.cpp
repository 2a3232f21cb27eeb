// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/deepseek/deepseek_like.h"

namespace flopsmith {
namespace {

constexpr Architecture kGlmMoeArchitectures[]{
    {"Glm4MoeForCausalLM", HeadKind::lm},
    {"Glm4MoeModel", HeadKind::none},
};

constexpr Architecture kDotsArchitectures[]{
    {"Dots1ForCausalLM", HeadKind::lm},
    {"Dots1Model", HeadKind::none},
};

constexpr DecoderDefaults kGlmMoeDefaults{.vocab = 151552,
                                          .dFf = 10944,
                                          .layers = 46,
                                          .heads = 96,
                                          .kvHeads = 8};
constexpr DeepseekExperts kGlmExperts{.routed = 128,
                                      .shared = 1,
                                      .perToken = 8,
                                      .dFf = 1408,
                                      .firstDense = 1,
                                      .renormalise = true,
                                      .score = "sigmoid",
                                      .choice = "noaux_tc"};
constexpr double kGlmMoeRotaryShare = 0.5;

constexpr DecoderDefaults kDotsDefaults{.vocab = 152064,
                                        .width = 4608,
                                        .dFf = 10944,
                                        .layers = 62,
                                        .kvHeads = 32};
constexpr DeepseekExperts kDotsExperts{.dFf = 1408, .score = "sigmoid", .choice = "noaux_tc"};

// The experts of DeepSeek-V3 with the attention of GLM.
Model importGlmMoe(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, kGlmMoeDefaults, architecture);
    Attention& attention = attentionIn(model);
    if (attention.headDim == 0 && model.dModel % attention.heads != 0) {
        attention.headDim = model.dModel / attention.heads; // as its class rounds
    }
    attention.qkvBias = config.flag("attention_bias", false);
    attention.qkNorm = config.flag("use_qk_norm", false) ? QkNorm::perHead : QkNorm::none;
    attention.rotaryDim = rotaryDimOf(
        config, "partial_rotary_factor", kGlmMoeRotaryShare, attention.headDimFor(model.dModel));
    attention.rotaryDim += attention.rotaryDim % 2; // features turn in pairs
    setDeepseekExperts(config, model, kGlmExperts);
    notePredicting(config);
    return model;
}

// The same experts with the attention of Qwen3, of which no block has the window unless asked for.
Model importDots(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, kDotsDefaults, architecture);
    readAttentionBias(config, model, false);
    attentionIn(model).qkNorm = QkNorm::perHead;
    const int window = windowOf(config, "sliding_window", 4096);
    const int full = config.countOr({"max_window_layers"}, 62);
    const std::vector<bool> sliding = slidingLayers(
        config, model.layers(), [=](int layer) { return window > 0 && layer >= full; });
    setDeepseekExperts(config, model, kDotsExperts);
    setWindows(model, sliding, window);
    return model;
}

} // namespace

const Family& glm4MoeFamily()
{
    static const Family kFamily{"glm4_moe", "GLM-4.5", kGlmMoeArchitectures, importGlmMoe};
    return kFamily;
}

const Family& dots1Family()
{
    static const Family kFamily{"dots1", "dots.llm1", kDotsArchitectures, importDots};
    return kFamily;
}

} // namespace flopsmith
