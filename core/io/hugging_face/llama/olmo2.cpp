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

} // namespace

const Family& olmo2Family()
{
    static const Family kFamily{"olmo2", "OLMo-2", kOlmo2Architectures, importOlmo2};
    return kFamily;
}

} // namespace flopsmith
