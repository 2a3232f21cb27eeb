// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/mamba/mamba_like.h"

namespace flopsmith {
namespace {

constexpr Architecture kMamba2Architectures[]{
    {"Mamba2ForCausalLM", HeadKind::lm},
    {"Mamba2Model", HeadKind::none},
};

constexpr StateSpaceKeys kMamba2Keys{.heads = "num_heads",
                                     .headDim = "head_dim",
                                     .usualHeadDim = 64,
                                     .state = "state_size",
                                     .usualState = 128,
                                     .groups = "n_groups",
                                     .usualGroups = 8,
                                     .taps = "conv_kernel",
                                     .expand = "expand",
                                     .chunk = "chunk_size",
                                     .convBias = "use_conv_bias",
                                     .bias = "use_bias"};

// Blocks of a norm and a mixer each, without FFNs.
Model importMamba2(ConfigReader& config, const Architecture& architecture)
{
    const int width = config.sizeOr({"hidden_size"}, 4096);
    Block block;
    block.mixer = stateSpaceOf(config, kMamba2Keys, width);
    block.ffn = FfnSpec();
    block.norm = Norm::rms();
    Model model = stackOf(block, config.layersOr({"num_hidden_layers"}, 64));
    model.dModel = width;
    model.embedding = {.vocab = config.sizeOr({"vocab_size"}, 32768), .positions = Positions::none};
    model.finalNorm = Norm::rms();
    model.head = {.kind = architecture.head, .tied = config.flag("tie_word_embeddings", false)};
    config.ignore({"layer_types", "rms_norm"});
    return model;
}

} // namespace

const Family& mamba2Family()
{
    static const Family kFamily{"mamba2", "Mamba-2", kMamba2Architectures, importMamba2};
    return kFamily;
}

} // namespace flopsmith
