// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/llama/decoder.h"

namespace flopsmith {
namespace {

constexpr Architecture kMinistralArchitectures[]{
    {"MinistralForCausalLM", HeadKind::lm},
    {"MinistralModel", HeadKind::none},
};

constexpr Architecture kMinistral3Architectures[]{
    {"Ministral3ForCausalLM", HeadKind::lm},
    {"Ministral3Model", HeadKind::none},
};

constexpr DecoderDefaults kMinistralDefaults{.dFf = 14336, .kvHeads = 8};
constexpr DecoderDefaults kMinistral3Defaults{.vocab = 131072,
                                              .dFf = 14336,
                                              .layers = 34,
                                              .kvHeads = 8,
                                              .headDim = 128};
constexpr int kMinistralWindow = 4096;

// Mistral with a window in the blocks that layer_types names, without it in all.
Model importMinistral(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, kMinistralDefaults, architecture);
    const int window = windowOf(config, "sliding_window", kMinistralWindow);
    setWindows(
        model, slidingLayers(config, model.layers(), [window](int) { return window > 0; }), window);
    return model;
}

Model importMinistral3(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, kMinistral3Defaults, architecture);
    attentionIn(model).window = windowOf(config, "sliding_window", 0);
    config.leftOut("queries are scaled by the logarithm of their position (llama_4_scaling_beta), "
                   "which is not done here and costs next to nothing");
    return model;
}

} // namespace

const Family& ministralFamily()
{
    static const Family kFamily{"ministral", "Ministral", kMinistralArchitectures, importMinistral};
    return kFamily;
}

const Family& ministral3Family()
{
    static const Family kFamily{
        "ministral3", "Ministral-3", kMinistral3Architectures, importMinistral3};
    return kFamily;
}

} // namespace flopsmith
