// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/llama/decoder.h"

namespace flopsmith {
namespace {

constexpr Architecture kPhi3Architectures[]{
    {"Phi3ForCausalLM", HeadKind::lm},
    {"Phi3Model", HeadKind::none},
};

// As Llama (its joined matrices hold the same numbers), with a window if one is named, and rotary
// positions on a part of each head in Phi-4-mini.
Model importPhi3(ConfigReader& config, const Architecture& architecture)
{
    Model model =
        llamaLike(config, {.vocab = 32064, .width = 3072, .dFf = 8192, .layers = 32}, architecture);
    Attention& attention = attentionIn(model);
    attention.window = windowOf(config, "sliding_window", 0);
    attention.rotaryDim =
        rotaryDimOf(config, "partial_rotary_factor", 1.0, attention.headDimFor(model.dModel));
    for (const char* key : {"attention_bias", "mlp_bias", "lm_head_bias"}) {
        config.requireFlag(key, false, "the library's class has no biases");
    }
    return model;
}

} // namespace

const Family& phi3Family()
{
    static const Family kFamily{"phi3", "Phi-3", kPhi3Architectures, importPhi3};
    return kFamily;
}

} // namespace flopsmith
