// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/mistral.h"

namespace flopsmith {
namespace {

constexpr Architecture kArchitectures[]{
    {"MistralForCausalLM", HeadKind::lm},
    {"MistralModel", HeadKind::none},
};

constexpr int kDefaultWindow = 4096;

// As Llama, with a sliding window: null means none, a missing key the default of the class.
Model import(ConfigReader& config, HeadKind head)
{
    Model model = llamaLike(config, head);
    auto& attention = std::get<Attention>(model.runs.front().block.mixer);
    if (config.value("sliding_window").is_null() && config.named("sliding_window")) {
        attention.window = 0;
    } else {
        attention.window = config.sizeOr("sliding_window", kDefaultWindow);
    }
    return model;
}

} // namespace

const Family& mistralFamily()
{
    static const Family kFamily{"mistral", "Mistral", kArchitectures, import};
    return kFamily;
}

} // namespace flopsmith
