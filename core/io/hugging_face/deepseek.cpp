// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/deepseek_like.h"

namespace flopsmith {
namespace {

constexpr Architecture kArchitectures[]{
    {"DeepseekForCausalLM", HeadKind::lm},
    {"DeepseekModel", HeadKind::none},
};

constexpr DecoderDefaults kDefaults{.vocab = 102400, .layers = 30, .kvHeads = 32};

// DeepSeek-MoE: Llama's attention; the first blocks have a plain FFN, the others routed experts
// beside shared ones.
Model import(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, kDefaults, architecture);
    readAttentionBias(config, model, false);
    setDeepseekExperts(config, model, DeepseekExperts{});
    return model;
}

} // namespace

const Family& deepseekFamily()
{
    static const Family kFamily{"deepseek", "DeepSeek-MoE", kArchitectures, import};
    return kFamily;
}

} // namespace flopsmith
