// SPDX-License-Identifier: MIT
#include "core/ffn/moe.h"
#include "core/io/hugging_face/t5/t5_like.h"

namespace flopsmith {
namespace {

constexpr Architecture kSwitchTransformersArchitectures[]{
    {"SwitchTransformersForConditionalGeneration", HeadKind::lm},
    {"SwitchTransformersModel", HeadKind::none},
    {"SwitchTransformersEncoderModel", HeadKind::none},
};

constexpr T5Defaults kSwitchTransformersDefaults{
    .width = 768,
    .dFf = 2048,
    .layers = 12,
    .heads = 12,
    .namesHeadDim = false,
    .untied = "version 5 of the library unties the embeddings of both stacks too"};

struct SparseKeys
{
    const char* number = ""; ///< of routed blocks
    const char* step = ""; ///< derived from it by the library, which follows a file that names it
};

// In every group of `layers / number` blocks the second one is routed; a number of 0 counts as 1.
int sparseStep(ConfigReader& config, const SparseKeys& keys, int layers)
{
    const int number = config.countOr({keys.number}, 3);
    const int derived = number > 0 ? layers / number : layers;
    const bool isNamed = config.has(keys.step);
    const int step = isNamed ? config.countOr({keys.step}, derived) : derived;
    config.ignore({keys.step});
    if (step != derived) {
        config.note(std::string(keys.step) + ": " + std::to_string(step) + " contradicts "
                    + keys.number + ": " + std::to_string(number)
                    + "; the library's class goes by the former, and so does the count");
    } else if (number == 0) {
        config.note(std::string(keys.number)
                    + ": with 0 the library's class still routes one block, and is counted so");
    }
    return step;
}

bool isRouted(int layer, int step)
{
    return step == 1 || (step > 1 && layer % step == 1);
}

// T5 with one of several experts per token in some blocks; each expert is a dense FFN.
Model importSwitchTransformers(ConfigReader& config, const Architecture& architecture)
{
    const DenseFfn dense{.dFf = config.sizeOr({"d_ff"}, kSwitchTransformersDefaults.dFf),
                         .activation = activationOf(config, {"dense_act_fn"}, "relu"),
                         .bias = false};
    const MoeFfn routed{.experts = config.sizeOr({"num_experts"}, 8),
                        .perToken = 1,
                        .expert = ExpertKind::dense,
                        .dFf = dense.dFf,
                        .activation = dense.activation,
                        .renormalise = false,
                        .routerBias = config.flag("router_bias", false)};
    const T5Layers layers = layersOf(config, kSwitchTransformersDefaults);
    const int encoderStep =
        sparseStep(config, {"num_sparse_encoder_layers", "encoder_sparse_step"}, layers.encoder);
    const int decoderStep =
        sparseStep(config, {"num_sparse_decoder_layers", "decoder_sparse_step"}, layers.decoder);
    config.ignore({"add_router_probs",
                   "feed_forward_proj",
                   "is_gated_act",
                   "router_dtype",
                   "router_ignore_padding_tokens",
                   "router_type"});
    config.ignoreNoting({"expert_capacity"}, "no token is dropped here, however full an expert is");
    return t5Like(config, kSwitchTransformersDefaults, architecture, [=](Stack stack, int layer) {
        const int step = stack == Stack::encoder ? encoderStep : decoderStep;
        return isRouted(layer, step) ? FfnSpec(routed) : FfnSpec(dense);
    });
}

} // namespace

const Family& switchTransformersFamily()
{
    static const Family kFamily{"switch_transformers",
                                "Switch Transformer",
                                kSwitchTransformersArchitectures,
                                importSwitchTransformers,
                                nullptr,
                                true};
    return kFamily;
}

} // namespace flopsmith
