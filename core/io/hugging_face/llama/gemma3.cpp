// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/llama/gemma_like.h"

namespace flopsmith {
namespace {

constexpr Architecture kTextArchitectures[]{
    {"Gemma3ForCausalLM", HeadKind::lm},
    {"Gemma3TextModel", HeadKind::none},
};

constexpr Architecture kGemma3Architectures[]{
    {"Gemma3ForConditionalGeneration", HeadKind::lm},
    {"Gemma3Model", HeadKind::none},
};

constexpr DecoderDefaults kGemma3Defaults{.vocab = 262208,
                                          .width = 2304,
                                          .dFf = 9216,
                                          .layers = 26,
                                          .heads = 8,
                                          .kvHeads = 4,
                                          .headDim = 256};
constexpr int kGemma3Window = 4096;
constexpr int kPattern = 6;

// The period of the pattern has two names, and most files have neither.
int patternOf(ConfigReader& config)
{
    return config.optionalSize({"sliding_window_pattern", "_sliding_window_pattern"})
        .value_or(kPattern);
}

// Four norms, norms of queries and keys per head, and a window in all but every sixth block.
Model gemma3Decoder(ConfigReader& config, const Architecture& architecture)
{
    Model model = gemmaLike(config, kGemma3Defaults, architecture);
    addSandwich(config, model, 0.0);
    config.ignoreNoting({"attn_logit_softcapping"}, "the library's Gemma-3 limits no scores");
    attentionIn(model).qkNorm = QkNorm::perHead;
    const int pattern = patternOf(config);
    const std::vector<bool> sliding = slidingLayers(
        config, model.layers(), [pattern](int layer) { return (layer + 1) % pattern != 0; });
    setWindows(model, sliding, windowOf(config, "sliding_window", kGemma3Window));
    return model;
}

// EmbeddingGemma sees earlier and later tokens, through a window half as far to either side.
Model importText(ConfigReader& config, const Architecture& architecture)
{
    Model model = gemma3Decoder(config, architecture);
    const bool causal = !config.flag("use_bidirectional_attention", false);
    changeEachBlock(model, [causal](Block& block, int) { attentionIn(block).causal = causal; });
    return model;
}

Model importGemma3(ConfigReader& config, const Architecture& architecture)
{
    noteBidirectional(config);
    return gemma3Decoder(config, architecture);
}

} // namespace

const Family& gemma3TextFamily()
{
    static const Family kFamily{"gemma3_text", "Gemma-3", kTextArchitectures, importText};
    return kFamily;
}

const Family& gemma3Family()
{
    static const Family kFamily{
        "gemma3", "Gemma-3", kGemma3Architectures, importGemma3, "text_config"};
    return kFamily;
}

} // namespace flopsmith
