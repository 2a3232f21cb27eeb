// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/llama/decoder.h"

namespace flopsmith {
namespace {

constexpr Architecture kMistralArchitectures[]{
    {"MistralForCausalLM", HeadKind::lm},
    {"MistralModel", HeadKind::none},
};

// Like Llama, with a sliding window: null means none, a missing key means the class's default.
Model importMistral(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, {.dFf = 14336, .kvHeads = 8}, architecture);
    attentionIn(model).window = windowOf(config, "sliding_window", 4096);
    return model;
}

} // namespace

const Family& mistralFamily()
{
    static const Family kFamily{"mistral", "Mistral", kMistralArchitectures, importMistral};
    return kFamily;
}

} // namespace flopsmith
