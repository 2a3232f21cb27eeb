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

constexpr Architecture kCamembertArchitectures[]{
    {"CamembertModel", HeadKind::pooler},
    {"CamembertForMaskedLM", HeadKind::lm},
    {"CamembertForSequenceClassification", HeadKind::classifier},
};

constexpr Architecture kXlArchitectures[]{
    {"XLMRobertaXLModel", HeadKind::pooler},
    {"XLMRobertaXLForMaskedLM", HeadKind::lm},
    {"XLMRobertaXLForSequenceClassification", HeadKind::classifier},
};

constexpr EncoderDefaults kXlDefaults{.vocab = 250880,
                                      .width = 2560,
                                      .layers = 36,
                                      .heads = 32,
                                      .dFf = 10240,
                                      .positions = 514,
                                      .tokenTypes = 1};

// Like BERT; max_position_embeddings includes the two rows before the first token's. The head of
// the masked language model has GELU whatever the blocks have.
Model encoder(ConfigReader& config,
              const Architecture& architecture,
              const EncoderDefaults& defaults)
{
    Model model = bertLike(config, defaults, architecture);
    model.head.activation = Activation::gelu;
    requireEncoder(config);
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

Model importXl(ConfigReader& config, const Architecture& architecture)
{
    Model model = encoder(config, architecture, kXlDefaults);
    setPreNorm(model);
    return model;
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

const Family& camembertFamily()
{
    static const Family kFamily{"camembert", "CamemBERT", kCamembertArchitectures, importXlm};
    return kFamily;
}

const Family& xlmRobertaXlFamily()
{
    static const Family kFamily{"xlm-roberta-xl", "XLM-RoBERTa-XL", kXlArchitectures, importXl};
    return kFamily;
}

} // namespace flopsmith
