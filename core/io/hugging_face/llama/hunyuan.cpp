// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/llama/decoder.h"

namespace flopsmith {
namespace {

constexpr Architecture kHunyuanArchitectures[]{
    {"HunYuanDenseV1ForCausalLM", HeadKind::lm},
    {"HunYuanDenseV1Model", HeadKind::none},
};

// Like Llama, with norms of queries and keys per head.
Model importHunyuan(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, {.vocab = 290943}, architecture);
    readAttentionBias(config, model, false);
    attentionIn(model).qkNorm = QkNorm::perHead;
    config.leftOut("queries and keys are normalised after RoPE in this family, here before it, at "
                   "the same cost");
    return model;
}

} // namespace

const Family& hunyuanDenseFamily()
{
    static const Family kFamily{
        "hunyuan_v1_dense", "Hunyuan", kHunyuanArchitectures, importHunyuan};
    return kFamily;
}

} // namespace flopsmith
