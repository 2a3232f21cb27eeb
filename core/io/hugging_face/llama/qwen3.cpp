// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/llama/decoder.h"

namespace flopsmith {
namespace {

constexpr Architecture kQwen3Architectures[]{
    {"Qwen3ForCausalLM", HeadKind::lm},
    {"Qwen3Model", HeadKind::none},
};

constexpr DecoderDefaults kQwen3Defaults{.vocab = 151936,
                                         .dFf = 22016,
                                         .kvHeads = 32,
                                         .headDim = 128};

// As Qwen2, without biases, with norms of queries and keys per head, and a head dimension of its
// own.
Model importQwen3(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, kQwen3Defaults, architecture);
    readAttentionBias(config, model, false);
    attentionIn(model).qkNorm = QkNorm::perHead;
    readQwenWindow(config, model);
    return model;
}

} // namespace

const Family& qwen3Family()
{
    static const Family kFamily{"qwen3", "Qwen3", kQwen3Architectures, importQwen3};
    return kFamily;
}

} // namespace flopsmith
