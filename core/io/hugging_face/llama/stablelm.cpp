// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/llama/decoder.h"

namespace flopsmith {
namespace {

constexpr Architecture kStablelmArchitectures[]{
    {"StableLmForCausalLM", HeadKind::lm},
    {"StableLmModel", HeadKind::none},
};

constexpr double kStablelmRotaryShare = 0.25;

// Like Llama with LayerNorm, optional biases on query, key and value, and rotary positions on a
// quarter of each head.
Model importStablelm(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(
        config, {.vocab = 50304, .width = 2560, .dFf = 6912, .kvHeads = 32}, architecture);
    Attention& attention = attentionIn(model);
    attention.qkvBias = config.flag("use_qkv_bias", false);
    attention.rotaryDim =
        rotaryDimOf(config, "rope_pct", kStablelmRotaryShare, attention.headDimFor(model.dModel));
    Block& block = blockIn(model);
    block.norm = Norm{};
    model.finalNorm = Norm{};
    if (config.flag("use_parallel_residual", false)) {
        block.layout = BlockLayout::parallel;
        block.oneNorm = true;
    }
    config.requireFlag("qk_layernorm", false, "every head has a norm of its own");
    return model;
}

} // namespace

const Family& stablelmFamily()
{
    static const Family kFamily{"stablelm", "StableLM", kStablelmArchitectures, importStablelm};
    return kFamily;
}

} // namespace flopsmith
