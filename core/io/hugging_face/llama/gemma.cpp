// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/llama/gemma_like.h"

namespace flopsmith {
namespace {

constexpr Architecture kGemmaArchitectures[]{
    {"GemmaForCausalLM", HeadKind::lm},
    {"GemmaModel", HeadKind::none},
};

Model importGemma(ConfigReader& config, const Architecture& architecture)
{
    noteBidirectional(config);
    return gemmaLike(config,
                     {.vocab = 256000,
                      .width = 3072,
                      .dFf = 24576,
                      .layers = 28,
                      .heads = 16,
                      .kvHeads = 16,
                      .headDim = 256},
                     architecture);
}

} // namespace

const Family& gemmaFamily()
{
    static const Family kFamily{"gemma", "Gemma", kGemmaArchitectures, importGemma};
    return kFamily;
}

} // namespace flopsmith
