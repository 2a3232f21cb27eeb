// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/bert/encoder.h"

namespace flopsmith {
namespace {

constexpr Architecture kBertArchitectures[]{
    {"BertModel", HeadKind::pooler},
    {"BertForMaskedLM", HeadKind::lm},
    {"BertForSequenceClassification", HeadKind::classifier},
};

Model importBert(ConfigReader& config, const Architecture& architecture)
{
    Model model = bertLike(config, EncoderDefaults{}, architecture);
    requireEncoder(config);
    return model;
}

constexpr Architecture kMegatronArchitectures[]{
    {"MegatronBertModel", HeadKind::pooler},
    {"MegatronBertForMaskedLM", HeadKind::lm},
    {"MegatronBertForSequenceClassification", HeadKind::classifier},
};

constexpr Architecture kErnieArchitectures[]{
    {"ErnieModel", HeadKind::pooler},
    {"ErnieForMaskedLM", HeadKind::lm},
    {"ErnieForSequenceClassification", HeadKind::classifier},
};

constexpr EncoderDefaults kMegatronDefaults{.vocab = 29056,
                                            .width = 1024,
                                            .layers = 24,
                                            .heads = 16,
                                            .dFf = 4096};

Model importMegatron(ConfigReader& config, const Architecture& architecture)
{
    Model model = bertLike(config, kMegatronDefaults, architecture);
    setPreNorm(model);
    requireEncoder(config);
    return model;
}

Model importErnie(ConfigReader& config, const Architecture& architecture)
{
    config.requireFlag("use_task_id", false, "it adds a table of tasks to the embedding");
    config.ignore({"task_type_vocab_size"});
    return importBert(config, architecture);
}

} // namespace

const Family& bertFamily()
{
    static const Family kFamily{"bert", "BERT", kBertArchitectures, importBert};
    return kFamily;
}

const Family& megatronBertFamily()
{
    static const Family kFamily{
        "megatron-bert", "Megatron-BERT", kMegatronArchitectures, importMegatron};
    return kFamily;
}

const Family& ernieFamily()
{
    static const Family kFamily{"ernie", "ERNIE", kErnieArchitectures, importErnie};
    return kFamily;
}

} // namespace flopsmith
