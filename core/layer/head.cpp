// SPDX-License-Identifier: MIT
#include "core/layer/head.h"

namespace flopsmith {

template <>
std::vector<std::string_view> enumNames<HeadKind>()
{
    return {"lm", "pooler", "none"};
}

const std::vector<Field<Head>>& Head::fields()
{
    static const std::vector<Field<Head>> kFields{
        choiceField(&Head::kind,
                    {"head", "", "head", "logits over the vocabulary, BERT's pooler, or none", ""}),
        onlyIf(flagField(&Head::tied,
                         {"head_tied",
                          "",
                          "tied head",
                          "the head shares its matrix with the token embedding",
                          ""}),
               [](const Head& head) { return head.kind == HeadKind::lm; }),
        onlyIf(flagField(&Head::bias, {"head_bias", "", "head bias", "a bias per logit", ""}),
               [](const Head& head) { return head.kind == HeadKind::lm; }),
    };
    return kFields;
}

WeightShapes weights(const Head& head, int dModel, int vocab)
{
    if (head.kind == HeadKind::pooler) {
        return {{"dense.weight", dModel, dModel, Init::normal},
                {"dense.bias", 1, dModel, Init::small}};
    }
    WeightShapes shapes;
    if (head.kind == HeadKind::lm) {
        shapes.push_back({"logits.weight", vocab, dModel, Init::small});
        if (head.bias) {
            shapes.push_back({"logits.bias", 1, vocab, Init::small});
        }
    }
    return shapes;
}

} // namespace flopsmith
