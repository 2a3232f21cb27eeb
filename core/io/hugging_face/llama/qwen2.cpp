// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/llama/decoder.h"

namespace flopsmith {
namespace {

constexpr Architecture kQwen2Architectures[]{
    {"Qwen2ForCausalLM", HeadKind::lm},
    {"Qwen2Model", HeadKind::none},
};

// Like Llama, with biases on query, key and value (without a key for them), and a sliding window
// only if use_sliding_window is true, and then only from block max_window_layers on.
Model importQwen2(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, {.vocab = 151936, .dFf = 22016, .kvHeads = 32}, architecture);
    attentionIn(model).qkvBias = true;
    readQwenWindow(config, model);
    return model;
}

} // namespace

const Family& qwen2Family()
{
    static const Family kFamily{"qwen2", "Qwen2", kQwen2Architectures, importQwen2};
    return kFamily;
}

} // namespace flopsmith
