// SPDX-License-Identifier: MIT
#include "core/ffn/gated.h"
#include "core/io/hugging_face/mamba/mamba_like.h"

#include <algorithm>

namespace flopsmith {
namespace {

constexpr Architecture kBambaArchitectures[]{
    {"BambaForCausalLM", HeadKind::lm},
    {"BambaModel", HeadKind::none},
};

// Attention in the blocks of attn_layer_indices, half of a head rotated whatever the file says.
Model importBamba(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, {.vocab = 128000, .dFf = 14336, .kvHeads = 8}, architecture);
    readAttentionBias(config, model, false);
    Attention& attention = attentionIn(model);
    attention.rotaryDim = attention.headDimFor(model.dModel) / 2;
    get<GatedFfn>(blockIn(model).ffn).bias = config.flag("mlp_bias", false);
    const Mamba2 mixer = stateSpaceOf(config, {}, model.dModel);
    std::vector<bool> attends(static_cast<std::size_t>(model.layers()), false);
    for (const int layer : config.indices("attn_layer_indices")) {
        if (layer < model.layers()) {
            attends[static_cast<std::size_t>(layer)] = true;
        }
    }
    setStateSpaces(model, mixer, attends);
    config.ignore({"attn_rotary_emb", "partial_rotary_factor", "layer_types", "layers_block_type"});
    return model;
}

} // namespace

const Family& bambaFamily()
{
    static const Family kFamily{"bamba", "Bamba", kBambaArchitectures, importBamba};
    return kFamily;
}

} // namespace flopsmith
