// SPDX-License-Identifier: MIT
#include "core/ffn/moe.h"
#include "core/io/hugging_face/llama/decoder.h"
#include "core/io/hugging_face/llama/moe.h"

namespace flopsmith {
namespace {

constexpr Architecture kMixtralArchitectures[]{
    {"MixtralForCausalLM", HeadKind::lm},
    {"MixtralModel", HeadKind::none},
};

// Mistral with experts in every block, renormalised weights, and no window by default.
Model importMixtral(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, {.dFf = 14336, .kvHeads = 8}, architecture);
    attentionIn(model).window = windowOf(config, "sliding_window", 0);
    MoeFfn experts = expertsLike(model);
    experts.experts = config.sizeOr({"num_local_experts", "num_experts"}, 8);
    experts.perToken = config.sizeOr({"num_experts_per_tok"}, 2);
    blockIn(model).ffn = experts;
    return model;
}

} // namespace

const Family& mixtralFamily()
{
    static const Family kFamily{"mixtral", "Mixtral", kMixtralArchitectures, importMixtral};
    return kFamily;
}

} // namespace flopsmith
