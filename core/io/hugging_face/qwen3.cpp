// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/decoder.h"

namespace flopsmith {
namespace {

constexpr Architecture kArchitectures[]{
    {"Qwen3ForCausalLM", HeadKind::lm},
    {"Qwen3Model", HeadKind::none},
};

constexpr DecoderDefaults kDefaults{.vocab = 151936, .dFf = 22016, .kvHeads = 32, .headDim = 128};

// As Qwen2, without biases, with norms of queries and keys per head, and a head dimension of its
// own.
Model import(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, kDefaults, architecture);
    readAttentionBias(config, model, false);
    attentionIn(model).qkNorm = QkNorm::perHead;
    readQwenWindow(config, model);
    return model;
}

} // namespace

const Family& qwen3Family()
{
    static const Family kFamily{"qwen3", "Qwen3", kArchitectures, import};
    return kFamily;
}

} // namespace flopsmith
