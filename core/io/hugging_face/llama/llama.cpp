// SPDX-License-Identifier: MIT
#include "core/ffn/gated.h"
#include "core/io/hugging_face/llama/decoder.h"

namespace flopsmith {
namespace {

constexpr Architecture kLlamaArchitectures[]{
    {"LlamaForCausalLM", HeadKind::lm},
    {"LLaMAForCausalLM", HeadKind::lm},
    {"LlamaModel", HeadKind::none},
};

Model importLlama(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, DecoderDefaults{}, architecture);
    readAttentionBias(config, model, false);
    get<GatedFfn>(blockIn(model).ffn).bias = config.flag("mlp_bias", false);
    config.ignore({"is_llama_config"});
    return model;
}

} // namespace

const Family& llamaFamily()
{
    static const Family kFamily{"llama", "Llama", kLlamaArchitectures, importLlama};
    return kFamily;
}

} // namespace flopsmith
