// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/llama/decoder.h"

namespace flopsmith {
namespace {

constexpr Architecture kExaoneArchitectures[]{
    {"Exaone4ForCausalLM", HeadKind::lm},
    {"Exaone4Model", HeadKind::none},
};

constexpr DecoderDefaults kExaoneDefaults{.vocab = 102400, .dFf = 16384, .kvHeads = 32};
constexpr int kExaoneWindow = 4096;
constexpr int kExaonePattern = 4;

// Whether a block sees its neighbours alone: all but the last of each pattern, which older files
// spell as "LLLG".
std::function<bool(int)> exaoneLocal(ConfigReader& config)
{
    if (!config.value("sliding_window_pattern").is_string()) {
        const int pattern = config.sizeOrDerived({"sliding_window_pattern"}, kExaonePattern);
        return [pattern](int layer) { return (layer + 1) % pattern != 0; };
    }
    const std::string letters = config.text({"sliding_window_pattern"}, "");
    if (letters.empty()) {
        config.fail("sliding_window_pattern", "must be a number, or letters L and G");
        return [](int) { return false; };
    }
    return [letters](int layer) {
        return letters[static_cast<std::size_t>(layer) % letters.size()] == 'L';
    };
}

// Like Qwen3, with norms after the parts instead of before them. Where there is a window, only the
// blocks that have it have rotary positions.
Model importExaone4(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, kExaoneDefaults, architecture);
    attentionIn(model).qkNorm = QkNorm::perHead;
    blockIn(model).placement = NormPlacement::output;
    const int window = windowOf(config, "sliding_window", kExaoneWindow);
    const std::function<bool(int)> isLocal = exaoneLocal(config);
    const std::vector<bool> sliding = slidingLayers(
        config, model.layers(), [&](int layer) { return window > 0 && isLocal(layer); });
    setWindows(model, sliding, window);
    if (window > 0) {
        setRotary(model,
                  [&sliding](int layer) { return sliding[static_cast<std::size_t>(layer)]; });
    }
    return model;
}

} // namespace

const Family& exaone4Family()
{
    static const Family kFamily{"exaone4", "EXAONE-4", kExaoneArchitectures, importExaone4};
    return kFamily;
}

} // namespace flopsmith
