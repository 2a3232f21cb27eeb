// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/llama/decoder.h"

namespace flopsmith {
namespace {

constexpr Architecture kArceeArchitectures[]{
    {"ArceeForCausalLM", HeadKind::lm},
    {"ArceeModel", HeadKind::none},
};

// Like Llama, with a dense FFN of squared ReLU.
Model importArcee(ConfigReader& config, const Architecture& architecture)
{
    Model model =
        llamaLike(config, {.width = 2560, .dFf = 18432, .activation = "relu2"}, architecture);
    readAttentionBias(config, model, false);
    setDenseFfn(model, config.flag("mlp_bias", false));
    return model;
}

} // namespace

const Family& arceeFamily()
{
    static const Family kFamily{"arcee", "Arcee", kArceeArchitectures, importArcee};
    return kFamily;
}

} // namespace flopsmith
