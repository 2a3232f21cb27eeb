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
    config.requireFlag("is_decoder", false, "a decoder of this family is another model");
    config.requireFlag("add_cross_attention", false, "it adds a second attention to every block");
    return model;
}

} // namespace

const Family& bertFamily()
{
    static const Family kFamily{"bert", "BERT", kBertArchitectures, importBert};
    return kFamily;
}

} // namespace flopsmith
