// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/bert/encoder.h"

namespace flopsmith {
namespace {

constexpr Architecture kAlbertArchitectures[]{
    {"AlbertModel", HeadKind::pooler},
    {"AlbertForMaskedLM", HeadKind::lm},
    {"AlbertForSequenceClassification", HeadKind::classifier},
};

constexpr EncoderDefaults kAlbertDefaults{.vocab = 30000,
                                          .width = 4096,
                                          .layers = 12,
                                          .heads = 64,
                                          .dFf = 16384,
                                          .activation = "gelu_new"};

// Blocks of one group own one set of parameters; the groups divide the stack evenly.
void shareParameters(ConfigReader& config, Model& model)
{
    const int layers = model.layers();
    const int groups = config.sizeOr({"num_hidden_groups"}, 1);
    if (groups > layers) {
        config.fail("num_hidden_groups", "must be at most num_hidden_layers");
        return;
    }
    changeEachBlock(model, [=](Block& block, int layer) {
        const int group = static_cast<int>(layer / (static_cast<double>(layers) / groups));
        block.shareGroup = group + 1;
    });
}

// BERT with shared blocks and a narrow token table, to which positions, token types and their norm
// belong, before a projection leads to d.
Model importAlbert(ConfigReader& config, const Architecture& architecture)
{
    Model model = bertLike(config, kAlbertDefaults, architecture);
    model.embedding.width = config.sizeOr({"embedding_size"}, 128);
    model.embedding.projection = Projection::biased;
    model.embedding.positionsBeforeProjection = true;
    shareParameters(config, model);
    if (config.sizeOr({"inner_group_num"}, 1) != 1) {
        config.fail("inner_group_num", "only groups of one block are supported");
    }
    config.ignore({"down_scale_factor", "gap_size", "net_structure_type", "num_memory_blocks"});
    return model;
}

} // namespace

const Family& albertFamily()
{
    static const Family kFamily{"albert", "ALBERT", kAlbertArchitectures, importAlbert};
    return kFamily;
}

} // namespace flopsmith
