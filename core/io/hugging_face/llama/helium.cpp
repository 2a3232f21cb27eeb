// SPDX-License-Identifier: MIT
#include "core/ffn/gated.h"
#include "core/io/hugging_face/llama/decoder.h"

namespace flopsmith {
namespace {

constexpr Architecture kHeliumArchitectures[]{
    {"HeliumForCausalLM", HeadKind::lm},
    {"HeliumModel", HeadKind::none},
};

constexpr DecoderDefaults kHeliumDefaults{.vocab = 48000,
                                          .width = 2560,
                                          .dFf = 7040,
                                          .layers = 24,
                                          .heads = 20,
                                          .kvHeads = 20,
                                          .headDim = 128};

// Like Llama; the output of attention never has a bias.
Model importHelium(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, kHeliumDefaults, architecture);
    Attention& attention = attentionIn(model);
    attention.qkvBias = config.flag("attention_bias", false);
    if (attention.headDim != 0) {
        config.fail("head_dim", "must be hidden_size / num_attention_heads in this family");
    }
    get<GatedFfn>(blockIn(model).ffn).bias = config.flag("mlp_bias", false);
    return model;
}

} // namespace

const Family& heliumFamily()
{
    static const Family kFamily{"helium", "Helium", kHeliumArchitectures, importHelium};
    return kFamily;
}

} // namespace flopsmith
