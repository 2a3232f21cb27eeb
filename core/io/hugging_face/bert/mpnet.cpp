// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/bert/encoder.h"

namespace flopsmith {
namespace {

constexpr Architecture kMpnetArchitectures[]{
    {"MPNetModel", HeadKind::pooler},
    {"MPNetForMaskedLM", HeadKind::lm},
    {"MPNetForSequenceClassification", HeadKind::classifier},
};

constexpr EncoderDefaults kMpnetDefaults{.vocab = 30527, .tokenTypes = 0};

// BERT without token types and with a bias of relative positions as in T5, which all blocks share.
Model importMpnet(ConfigReader& config, const Architecture& architecture)
{
    Model model = bertLike(config, kMpnetDefaults, architecture);
    model.head.activation = Activation::gelu;
    attentionIn(model).relativeBuckets = config.sizeOr({"relative_attention_num_buckets"}, 32);
    changeEachBlock(model, [](Block& block, int layer) {
        attentionIn(block).positionBias =
            layer == 0 ? PositionBias::relative : PositionBias::sharedRelative;
    });
    return model;
}

} // namespace

const Family& mpnetFamily()
{
    static const Family kFamily{"mpnet", "MPNet", kMpnetArchitectures, importMpnet};
    return kFamily;
}

} // namespace flopsmith
