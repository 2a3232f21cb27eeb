// SPDX-License-Identifier: MIT
#include "core/ffn/gated.h"
#include "core/io/hugging_face/llama/decoder.h"

namespace flopsmith {
namespace {

constexpr Architecture kSeedArchitectures[]{
    {"SeedOssForCausalLM", HeadKind::lm},
    {"SeedOssModel", HeadKind::none},
};

constexpr DecoderDefaults kSeedDefaults{.vocab = 155136,
                                        .dFf = 27648,
                                        .layers = 64,
                                        .heads = 80,
                                        .kvHeads = 8,
                                        .headDim = 128};

// Like Llama, with biases of queries, keys and values, and one of the output that is named apart.
Model importSeedOss(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, kSeedDefaults, architecture);
    attentionIn(model).qkvBias = config.flag("attention_bias", true);
    attentionIn(model).outBias = config.flag("attention_out_bias", false);
    get<GatedFfn>(blockIn(model).ffn).bias = config.flag("mlp_bias", false);
    return model;
}

} // namespace

const Family& seedOssFamily()
{
    static const Family kFamily{"seed_oss", "Seed-OSS", kSeedArchitectures, importSeedOss};
    return kFamily;
}

} // namespace flopsmith
