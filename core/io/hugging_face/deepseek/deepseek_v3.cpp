// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/deepseek/deepseek_like.h"

namespace flopsmith {
namespace {

constexpr Architecture kDeepseekV3Architectures[]{
    {"DeepseekV3ForCausalLM", HeadKind::lm},
    {"DeepseekV3Model", HeadKind::none},
};

constexpr DecoderDefaults kDecoder{.vocab = 129280,
                                   .width = 7168,
                                   .dFf = 18432,
                                   .layers = 61,
                                   .heads = 128};

constexpr DeepseekExperts kExperts{.routed = 256,
                                   .shared = 1,
                                   .perToken = 8,
                                   .dFf = 2048,
                                   .firstDense = 3,
                                   .groups = 8,
                                   .groupsPerToken = 4,
                                   .scale = 2.5,
                                   .renormalise = true,
                                   .score = "sigmoid",
                                   .choice = "noaux_tc"};

Model importDeepseekV3(ConfigReader& config, const Architecture& architecture)
{
    return latentDecoder(config, {.decoder = kDecoder, .experts = kExperts}, architecture);
}

} // namespace

const Family& deepseekV3Family()
{
    static const Family kFamily{
        "deepseek_v3", "DeepSeek-V3", kDeepseekV3Architectures, importDeepseekV3};
    return kFamily;
}

// Kimi K2 is DeepSeek-V3 with other sizes.
const Family& kimiK2Family()
{
    static const Family kFamily{"kimi_k2", "Kimi K2", kDeepseekV3Architectures, importDeepseekV3};
    return kFamily;
}

} // namespace flopsmith
