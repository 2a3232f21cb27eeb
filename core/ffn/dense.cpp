// SPDX-License-Identifier: MIT
#include "core/ffn/dense.h"

#include "core/ffn/shared/d_ff_field.h"

namespace flopsmith {
namespace {

constexpr Component kDenseComponent{"dense", "Dense FFN", 0xE69F00, Hatch::none};

} // namespace

const VariantInfo& DenseFfn::info()
{
    static constexpr VariantInfo kInfo{
        "dense",
        "Dense",
        "act(x\xC2\xB7W\xE2\x82\x81 + b\xE2\x82\x81)\xC2\xB7W\xE2\x82\x82 + b\xE2\x82\x82",
        "Two full matrices with an activation between them: the feed-forward layer of GPT-2 and "
        "BERT, and usually most of a model's parameters.",
        &kDenseComponent};
    return kInfo;
}

const std::vector<Field<DenseFfn>>& DenseFfn::fields()
{
    static const std::vector<Field<DenseFfn>> kFields{
        dFfField<DenseFfn>(),
        choiceField(&DenseFfn::activation,
                    {"activation", "", "activation", "between the two matrices", ""}),
        flagField(&DenseFfn::bias, {"bias", "", "bias", "b1 and b2", ""}),
    };
    return kFields;
}

WeightShapes weights(const DenseFfn& ffn, int dModel)
{
    if (!ffn.bias) {
        return {{"c_fc.weight", dModel, ffn.dFf}, {"c_proj.weight", ffn.dFf, dModel}};
    }
    return {{"c_fc.weight", dModel, ffn.dFf},
            {"c_fc.bias", 1, ffn.dFf, Init::small},
            {"c_proj.weight", ffn.dFf, dModel},
            {"c_proj.bias", 1, dModel, Init::small}};
}

} // namespace flopsmith
