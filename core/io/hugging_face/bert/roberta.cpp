// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/bert/encoder.h"

namespace flopsmith {
namespace {

constexpr Architecture kRobertaArchitectures[]{
    {"RobertaModel", HeadKind::pooler},
    {"RobertaForMaskedLM", HeadKind::lm},
    {"RobertaForSequenceClassification", HeadKind::classifier},
};

constexpr Architecture kXlmArchitectures[]{
    {"XLMRobertaModel", HeadKind::pooler},
    {"XLMRobertaForMaskedLM", HeadKind::lm},
    {"XLMRobertaForSequenceClassification", HeadKind::classifier},
};

// Like BERT; max_position_embeddings includes the two rows before the first token's. The head of
// the masked language model has GELU whatever the blocks have.
Model encoder(ConfigReader& config,
              const Architecture& architecture,
              const EncoderDefaults& defaults)
{
    Model model = bertLike(config, defaults, architecture);
    model.head.activation = Activation::gelu;
    config.requireFlag("is_decoder", false, "a decoder of this family is another model");
    config.requireFlag("add_cross_attention", false, "it adds a second attention to every block");
    return model;
}

// The library's classes differ in their vocabulary.
Model importRoberta(ConfigReader& config, const Architecture& architecture)
{
    return encoder(config, architecture, {.vocab = 50265});
}

Model importXlm(ConfigReader& config, const Architecture& architecture)
{
    return encoder(config, architecture, {.vocab = 30522});
}

} // namespace

const Family& robertaFamily()
{
    static const Family kFamily{"roberta", "RoBERTa", kRobertaArchitectures, importRoberta};
    return kFamily;
}

const Family& xlmRobertaFamily()
{
    static const Family kFamily{"xlm-roberta", "XLM-RoBERTa", kXlmArchitectures, importXlm};
    return kFamily;
}

} // namespace flopsmith
