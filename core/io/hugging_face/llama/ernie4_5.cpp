// SPDX-License-Identifier: MIT
#include "core/ffn/gated.h"
#include "core/io/hugging_face/llama/decoder.h"

namespace flopsmith {
namespace {

constexpr Architecture kErnieDecoders[]{
    {"Ernie4_5ForCausalLM", HeadKind::lm},
    {"Ernie4_5Model", HeadKind::none},
};

constexpr DecoderDefaults kErnieDefaults{.vocab = 103424,
                                         .width = 1024,
                                         .dFf = 3072,
                                         .layers = 18,
                                         .heads = 16,
                                         .kvHeads = 2,
                                         .headDim = 128,
                                         .tied = true};

// Like Llama; one flag gives all products a bias.
Model importErnieDecoder(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, kErnieDefaults, architecture);
    const bool bias = config.flag("use_bias", false);
    attentionIn(model).qkvBias = bias;
    attentionIn(model).outBias = bias;
    get<GatedFfn>(blockIn(model).ffn).bias = bias;
    return model;
}

} // namespace

const Family& ernie45Family()
{
    static const Family kFamily{"ernie4_5", "ERNIE 4.5", kErnieDecoders, importErnieDecoder};
    return kFamily;
}

} // namespace flopsmith
