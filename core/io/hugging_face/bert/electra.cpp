// SPDX-License-Identifier: MIT
#include "core/ffn/dense.h"
#include "core/io/hugging_face/bert/encoder.h"

namespace flopsmith {
namespace {

constexpr Architecture kElectraArchitectures[]{
    {"ElectraForPreTraining", HeadKind::tokens},
    {"ElectraForMaskedLM", HeadKind::lm},
    {"ElectraModel", HeadKind::none},
};

constexpr std::string_view kDiscriminator = "ElectraForPreTraining";

constexpr EncoderDefaults kElectraDefaults{.width = 256, .heads = 4, .dFf = 1024};

// BERT with a narrow token table, to which positions, token types and their norm belong, before a
// projection leads to d; the generator's head leads back. Without a projection where both are equal.
// The discriminator asks of each token whether it was replaced.
Model importElectra(ConfigReader& config, const Architecture& architecture)
{
    Model model = bertLike(config, kElectraDefaults, architecture);
    if (architecture.name == kDiscriminator) {
        model.head = {.kind = HeadKind::tokens,
                      .tied = false,
                      .bias = true,
                      .transform = true,
                      .classes = 1,
                      .activation = get<DenseFfn>(blockIn(model).ffn).activation,
                      .norm = Norm::absent()};
    } else {
        model.head.activation = Activation::gelu;
    }
    const int width = config.sizeOr({"embedding_size"}, 128);
    if (width != model.dModel) {
        model.embedding.width = width;
        model.embedding.projection = Projection::biased;
        model.embedding.positionsBeforeProjection = true;
    }
    requireEncoder(config);
    config.ignore(
        {"summary_activation", "summary_last_dropout", "summary_type", "summary_use_proj"});
    return model;
}

} // namespace

const Family& electraFamily()
{
    static const Family kFamily{"electra", "ELECTRA", kElectraArchitectures, importElectra};
    return kFamily;
}

} // namespace flopsmith
