// SPDX-License-Identifier: MIT
#include "core/ffn/gated.h"
#include "core/io/hugging_face/llama/decoder.h"

namespace flopsmith {
namespace {

constexpr Architecture kSmolArchitectures[]{
    {"SmolLM3ForCausalLM", HeadKind::lm},
    {"SmolLM3Model", HeadKind::none},
};

constexpr DecoderDefaults kSmolDefaults{.vocab = 128256,
                                        .width = 2048,
                                        .layers = 36,
                                        .heads = 16,
                                        .kvHeads = 4,
                                        .tied = true};

// Whether each block has rotary positions: all but every fourth, unless a list says otherwise.
std::vector<bool> rotaryBlocks(ConfigReader& config, int layers)
{
    const std::vector<int> named = config.indices("no_rope_layers");
    const int interval = config.sizeOr({"no_rope_layer_interval"}, 4);
    if (!named.empty() && std::ssize(named) != layers) {
        config.fail("no_rope_layers", "must have a number for each of the blocks");
    }
    std::vector<bool> rotary;
    for (int layer = 0; layer < layers; ++layer) {
        const auto i = static_cast<std::size_t>(layer);
        rotary.push_back(i < named.size() ? named[i] != 0 : (layer + 1) % interval != 0);
    }
    return rotary;
}

// Like Llama, without rotary positions in some blocks; these have the window if one is used.
Model importSmollm3(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, kSmolDefaults, architecture);
    readAttentionBias(config, model, false);
    get<GatedFfn>(blockIn(model).ffn).bias = config.flag("mlp_bias", false);
    const std::vector<bool> rotary = rotaryBlocks(config, model.layers());
    const auto isRotary = [&rotary](int layer) { return rotary[static_cast<std::size_t>(layer)]; };
    const int window =
        config.flag("use_sliding_window", false) ? windowOf(config, "sliding_window", 0) : 0;
    const std::vector<bool> sliding = slidingLayers(
        config, model.layers(), [&](int layer) { return window > 0 && !isRotary(layer); });
    config.ignore({"sliding_window", "max_window_layers"});
    setWindows(model, sliding, window);
    setRotary(model, isRotary);
    return model;
}

} // namespace

const Family& smollm3Family()
{
    static const Family kFamily{"smollm3", "SmolLM3", kSmolArchitectures, importSmollm3};
    return kFamily;
}

} // namespace flopsmith
