// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/vision/vision.h"

#include "core/ffn/dense.h"

namespace flopsmith {

Model visionEncoder(ConfigReader& config, const Architecture& architecture)
{
    const int width = config.sizeOr({"hidden_size"}, 768);
    const int heads = config.sizeOr({"num_attention_heads"}, 12);
    Block block;
    block.mixer = Attention{.heads = heads,
                            .kvHeads = heads,
                            .headDim = headDimOf(config, heads, width),
                            .causal = false,
                            .qkvBias = config.flag("qkv_bias", true)};
    block.ffn = DenseFfn{.dFf = config.sizeOr({"intermediate_size"}, 3072),
                         .activation = activationOf(config, {"hidden_act"}, "gelu")};
    Model model = stackOf(block, config.layersOr({"num_hidden_layers"}, 12));
    model.dModel = width;
    model.embedding.input = InputKind::patches;
    model.embedding.imageSize = config.sizeOr({"image_size"}, 224);
    model.embedding.patchSize = config.sizeOr({"patch_size"}, 16);
    model.embedding.channels = config.sizeOr({"num_channels"}, 3);
    model.head = {.kind = architecture.head, .bias = true};
    if (model.head.kind == HeadKind::classifier) {
        model.head.classes = classesOf(config);
    }
    config.ignore({"encoder_stride", "num_labels", "tie_word_embeddings"});
    if (config.optionalSize({"pooler_output_size"}).value_or(model.dModel) != model.dModel) {
        config.fail("pooler_output_size", "only a pooler as wide as hidden_size is supported");
    }
    config.requireText("pooler_act", "tanh");
    return model;
}

} // namespace flopsmith
