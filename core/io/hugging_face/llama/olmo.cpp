// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/llama/decoder.h"

namespace flopsmith {
namespace {

constexpr Architecture kOlmoArchitectures[]{
    {"OlmoForCausalLM", HeadKind::lm},
    {"OlmoModel", HeadKind::none},
};

// As Llama, with LayerNorms that have no weights.
Model importOlmo(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, {.vocab = 50304}, architecture);
    readAttentionBias(config, model, false);
    const Norm bare{.scale = false, .shift = false};
    blockIn(model).norm = bare;
    model.finalNorm = bare;
    attentionIn(model).qkvLimit = qkvLimitOf(config);
    return model;
}

} // namespace

const Family& olmoFamily()
{
    static const Family kFamily{"olmo", "OLMo", kOlmoArchitectures, importOlmo};
    return kFamily;
}

} // namespace flopsmith
