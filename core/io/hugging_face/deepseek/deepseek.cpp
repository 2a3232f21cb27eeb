// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/deepseek/deepseek_like.h"

namespace flopsmith {
namespace {

constexpr Architecture kDeepseekArchitectures[]{
    {"DeepseekForCausalLM", HeadKind::lm},
    {"DeepseekModel", HeadKind::none},
};

constexpr DecoderDefaults kDeepseekDefaults{.vocab = 102400, .layers = 30, .kvHeads = 32};

// DeepSeek-MoE: Llama's attention; the first blocks have a plain FFN, the others routed and shared
// experts.
Model importDeepseek(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, kDeepseekDefaults, architecture);
    readAttentionBias(config, model, false);
    setDeepseekExperts(config, model, DeepseekExperts{});
    return model;
}

} // namespace

const Family& deepseekFamily()
{
    static const Family kFamily{"deepseek", "DeepSeek-MoE", kDeepseekArchitectures, importDeepseek};
    return kFamily;
}

} // namespace flopsmith
