// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/llama/decoder.h"

namespace flopsmith {
namespace {

constexpr Architecture kCohereArchitectures[]{
    {"CohereForCausalLM", HeadKind::lm},
    {"CohereModel", HeadKind::none},
};

constexpr Architecture kCohere2Architectures[]{
    {"Cohere2ForCausalLM", HeadKind::lm},
    {"Cohere2Model", HeadKind::none},
};

constexpr DecoderDefaults kCohereDefaults{.vocab = 256000,
                                          .width = 8192,
                                          .dFf = 22528,
                                          .layers = 40,
                                          .heads = 64,
                                          .tied = true};
constexpr double kCohereLogitScale = 0.0625;
constexpr int kCohereWindow = 4096;
constexpr int kCoherePattern = 4;

// Attention and FFN in parallel after one LayerNorm without β, and logits times a constant.
Model cohereLike(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, kCohereDefaults, architecture);
    readAttentionBias(config, model, false);
    Block& block = blockIn(model);
    block.norm = Norm{.shift = false};
    block.layout = BlockLayout::parallel;
    block.oneNorm = true;
    model.finalNorm = Norm{.shift = false};
    model.head.scale = config.realOr({"logit_scale"}, kCohereLogitScale) != 1.0;
    return model;
}

Model importCohere(ConfigReader& config, const Architecture& architecture)
{
    Model model = cohereLike(config, architecture);
    config.requireFlag("use_qk_norm", false, "every head has a norm of its own");
    return model;
}

// With a window in three of four blocks; only these have rotary positions.
Model importCohere2(ConfigReader& config, const Architecture& architecture)
{
    Model model = cohereLike(config, architecture);
    const int pattern = config.sizeOr({"sliding_window_pattern"}, kCoherePattern);
    const std::vector<bool> sliding = slidingLayers(
        config, model.layers(), [pattern](int layer) { return (layer + 1) % pattern != 0; });
    const int window = windowOf(config, "sliding_window", kCohereWindow);
    setWindows(model, sliding, window);
    setRotary(model, [&sliding, window](int layer) {
        return window > 0 && sliding[static_cast<std::size_t>(layer)];
    });
    config.ignore({"order_of_interleaved_layers",
                   "position_embedding_type",
                   "rotary_pct",
                   "use_embedding_sharing",
                   "use_gated_activation",
                   "use_parallel_block",
                   "use_parallel_embedding",
                   "use_qk_norm"});
    return model;
}

} // namespace

const Family& cohereFamily()
{
    static const Family kFamily{"cohere", "Cohere", kCohereArchitectures, importCohere};
    return kFamily;
}

const Family& cohere2Family()
{
    static const Family kFamily{"cohere2", "Cohere-2", kCohere2Architectures, importCohere2};
    return kFamily;
}

} // namespace flopsmith
