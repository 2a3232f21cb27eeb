// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/deepseek/deepseek_like.h"

namespace flopsmith {
namespace {

constexpr Architecture kDeepseekV2Architectures[]{
    {"DeepseekV2ForCausalLM", HeadKind::lm},
    {"DeepseekV2Model", HeadKind::none},
};

// Files of the Lite model leave q_lora_rank out, although the class has a default for it.
constexpr LatentDefaults kDeepseekV2Defaults{.decoder = {},
                                             .experts = {.routed = 64, .shared = 2},
                                             .queryLatents = false};

Model importDeepseekV2(ConfigReader& config, const Architecture& architecture)
{
    return latentDecoder(config, kDeepseekV2Defaults, architecture);
}

} // namespace

const Family& deepseekV2Family()
{
    static const Family kFamily{
        "deepseek_v2", "DeepSeek-V2", kDeepseekV2Architectures, importDeepseekV2};
    return kFamily;
}

} // namespace flopsmith
