// SPDX-License-Identifier: MIT
#include "core/layer/head.h"

#include <cmath>

namespace flopsmith {
namespace {

bool isLm(const Head& head)
{
    return head.isLm();
}

bool isClassifier(const Head& head)
{
    return head.kind == HeadKind::classifier;
}

bool hasClasses(const Head& head)
{
    return head.hasClasses();
}

std::vector<Field<Head>> lmFields()
{
    return {
        onlyIf(flagField(&Head::tied,
                         {"head_tied",
                          "",
                          "tied head",
                          "the head shares its matrix with the token embedding",
                          ""}),
               isLm),
        onlyIf(flagField(&Head::bias, {"head_bias", "", "head bias", "a bias per logit", ""}),
               [](const Head& head) { return isLm(head) || hasClasses(head); }),
        onlyIf(flagField(&Head::transform,
                         {"head_transform",
                          "",
                          "head transform",
                          "a linear layer, an activation and a norm before the logits, as in "
                          "masked language models",
                          ""}),
               [](const Head& head) { return head.isOfEveryToken(); }),
        onlyIf(flagField(&Head::projection,
                         {"head_projection",
                          "",
                          "head projection",
                          "a linear layer without bias from d_model to the token table's width",
                          ""}),
               [](const Head& head) { return head.isLm() && !head.transform; }),
        onlyIf(realField(&Head::softCap,
                         {"head_soft_cap",
                          "",
                          "soft cap",
                          "logits are bent into \xC2\xB1 this by a tanh; 0 for none",
                          ""},
                         [](const Head&, const FieldContext&) {
                             return LegalValues::reals(0.0, 1000.0, 1.0);
                         }),
               isLm),
        onlyIf(flagField(&Head::scale,
                         {"head_scale",
                          "",
                          "head scale",
                          "what goes into the logits is multiplied by a constant",
                          ""}),
               isLm),
    };
}

std::vector<Field<Head>> transformFields()
{
    const auto hasTransform = [](const Head& head) { return head.hasTransform(); };
    return {
        onlyIf(choiceField(&Head::activation,
                           {"transform_activation",
                            "",
                            "transform activation",
                            "of the layer before the logits",
                            ""}),
               hasTransform),
        onlyIf(flagField(&Head::unreadPooler,
                         {"unread_pooler",
                          "",
                          "unread pooler",
                          "BERT's pooler beside the logits, whose output nothing reads",
                          ""}),
               [](const Head& head) { return isLm(head) && head.hasTransform(); }),
        onlyIf(flagField(&Head::transformBias,
                         {"transform_bias",
                          "",
                          "transform bias",
                          "a bias of the layer before the logits",
                          ""}),
               hasTransform),
    };
}

std::vector<Field<Head>> classifierFields()
{
    return {
        onlyIf(integerField(&Head::classes,
                            {"classes", "N_cls", "classes", "what the classifier tells apart", ""},
                            [](const Head&, const FieldContext&) {
                                return LegalValues::integers(1, 1'000'000, Scale::log2);
                            }),
               hasClasses),
        onlyIf(flagField(&Head::pooled,
                         {"pooled",
                          "",
                          "pooled",
                          "the classifier stands behind a pooler: linear layer and tanh",
                          ""}),
               isClassifier),
    };
}

void append(WeightShapes& shapes, const WeightShapes& more)
{
    shapes.insert(shapes.end(), more.begin(), more.end());
}

WeightShapes lmWeights(const Head& head, int dModel, const TokenTable& table)
{
    const int width = table.widthFor(head, dModel);
    WeightShapes shapes;
    if (head.hasTransform()) {
        shapes.push_back({"transform.weight", dModel, width, Init::normal});
        if (head.transformBias) {
            shapes.push_back({"transform.bias", 1, width, Init::small});
        }
        append(shapes, weights(head.norm, width));
    } else if (head.hasProjection()) {
        shapes.push_back({"projection.weight", dModel, width, Init::normal});
    }
    shapes.push_back({"logits.weight", table.vocab, width, Init::small});
    if (head.bias) {
        shapes.push_back({"logits.bias", 1, table.vocab, Init::small});
    }
    return shapes;
}

} // namespace

template <>
std::vector<std::string_view> enumNames<HeadKind>()
{
    return {"lm", "pooler", "classifier", "tokens", "none"};
}

const std::vector<Field<Head>>& Head::fields()
{
    static const std::vector<Field<Head>> kFields = [] {
        std::vector<Field<Head>> all{choiceField(
            &Head::kind,
            {"head",
             "",
             "head",
             "logits over the vocabulary, BERT's pooler, a classifier of the sequence or "
             "of its tokens, or none",
             ""})};
        for (const auto& more : {lmFields(), transformFields(), classifierFields()}) {
            all.insert(all.end(), more.begin(), more.end());
        }
        return all;
    }();
    return kFields;
}

Head Head::computed() const
{
    Head head = *this;
    head.unreadPooler = false;
    if (kind == HeadKind::tokens) {
        head.kind = HeadKind::lm;
        head.tied = false;
        head.projection = false;
        head.softCap = 0.0;
        head.scale = false;
    }
    return head;
}

double headScale(const Head& head, int dModel)
{
    return head.scaleFactor != 0.0 ? head.scaleFactor
                                   : 1.0 / std::sqrt(static_cast<double>(dModel));
}

std::size_t tensorsBeforeLogits(const Head& head)
{
    if (head.hasTransform()) {
        return 1 + (head.transformBias ? 1 : 0) + weights(head.norm, 1).size();
    }
    return head.hasProjection() ? 1 : 0;
}

WeightShapes weights(const Head& head, int dModel, const TokenTable& table)
{
    if (head.isOfEveryToken()) {
        return lmWeights(head.computed(), dModel, table);
    }
    WeightShapes shapes;
    if (head.hasPooler()) {
        shapes = {{"dense.weight", dModel, dModel, Init::normal},
                  {"dense.bias", 1, dModel, Init::small}};
    }
    if (head.kind == HeadKind::classifier) {
        shapes.push_back({"classes.weight", dModel, head.classes, Init::normal});
        if (head.bias) {
            shapes.push_back({"classes.bias", 1, head.classes, Init::small});
        }
    }
    return shapes;
}

} // namespace flopsmith
