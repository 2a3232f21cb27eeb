// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/llama/decoder.h"

namespace flopsmith {
namespace {

constexpr Architecture kOlmo2Architectures[]{
    {"Olmo2ForCausalLM", HeadKind::lm},
    {"Olmo2Model", HeadKind::none},
};

// Like Llama, with norms after the parts instead of before them, and norms of queries and keys over
// all heads together.
Model importOlmo2(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, {.vocab = 50304}, architecture);
    readAttentionBias(config, model, false);
    attentionIn(model).qkNorm = QkNorm::fullWidth;
    blockIn(model).placement = NormPlacement::output;
    return model;
}

constexpr Architecture kOlmo3Architectures[]{
    {"Olmo3ForCausalLM", HeadKind::lm},
    {"Olmo3Model", HeadKind::none},
};

// With a window in three of four blocks.
Model importOlmo3(ConfigReader& config, const Architecture& architecture)
{
    constexpr int kWindow = 4096;
    constexpr int kPattern = 4;
    Model model = importOlmo2(config, architecture);
    const std::vector<bool> sliding = slidingLayers(
        config, model.layers(), [](int layer) { return (layer + 1) % kPattern != 0; });
    setWindows(model, sliding, windowOf(config, "sliding_window", kWindow));
    return model;
}

} // namespace

const Family& olmo2Family()
{
    static const Family kFamily{"olmo2", "OLMo-2", kOlmo2Architectures, importOlmo2};
    return kFamily;
}

const Family& olmo3Family()
{
    static const Family kFamily{"olmo3", "OLMo-3", kOlmo3Architectures, importOlmo3};
    return kFamily;
}

} // namespace flopsmith
