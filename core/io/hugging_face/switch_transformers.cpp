// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/t5_like.h"

namespace flopsmith {
namespace {

constexpr Architecture kArchitectures[]{
    {"SwitchTransformersForConditionalGeneration", HeadKind::lm},
    {"SwitchTransformersModel", HeadKind::none},
    {"SwitchTransformersEncoderModel", HeadKind::none},
};

constexpr T5Defaults kDefaults{.width = 768, .dFf = 2048, .layers = 12, .heads = 12};

// Of every `layers / sparse` blocks the second one is routed.
bool isRouted(int layer, int layers, int sparse)
{
    const int step = sparse > 0 ? layers / sparse : 0;
    return step == 1 || (step > 1 && layer % step == 1);
}

// T5 with one of several experts per token in some blocks; each expert is a dense FFN.
Model import(ConfigReader& config, const Architecture& architecture)
{
    const DenseFfn dense{.dFf = config.sizeOr({"d_ff"}, kDefaults.dFf),
                         .activation = activationOf(config, {"dense_act_fn"}, "relu"),
                         .bias = false};
    const MoeFfn routed{.experts = config.sizeOr({"num_experts"}, 8),
                        .perToken = 1,
                        .expert = ExpertKind::dense,
                        .dFf = dense.dFf,
                        .activation = dense.activation,
                        .renormalise = false,
                        .routerBias = config.flag("router_bias", false)};
    const int sparseEncoders = config.countOr({"num_sparse_encoder_layers"}, 3);
    const int sparseDecoders = config.countOr({"num_sparse_decoder_layers"}, 3);
    config.ignore({"add_router_probs",
                   "feed_forward_proj",
                   "is_gated_act",
                   "router_dtype",
                   "router_ignore_padding_tokens",
                   "router_type"});
    config.ignoreNoting({"expert_capacity"}, "no token is dropped here, however full an expert is");
    return t5Like(config, kDefaults, architecture, [=](Stack stack, int layer, int layers) {
        const int sparse = stack == Stack::encoder ? sparseEncoders : sparseDecoders;
        return isRouted(layer, layers, sparse) ? FfnSpec(routed) : FfnSpec(dense);
    });
}

} // namespace

const Family& switchTransformersFamily()
{
    static const Family kFamily{
        "switch_transformers", "Switch Transformer", kArchitectures, import, nullptr, true};
    return kFamily;
}

} // namespace flopsmith
