// SPDX-License-Identifier: MIT
#include "core/ffn/factored/low_rank.h"

#include "core/ffn/shared/d_ff_field.h"

#include <algorithm>

namespace flopsmith {
namespace {

constexpr Component kLowRankComponent{"low_rank", "Low rank", 0xA65A3A, Hatch::backward};

} // namespace

const VariantInfo& LowRankFfn::info()
{
    static constexpr VariantInfo kInfo{
        "low_rank",
        "Low rank",
        "act(x\xC2\xB7U\xE2\x82\x81\xC2\xB7V\xE2\x82\x81)"
        "\xC2\xB7U\xE2\x82\x82\xC2\xB7V\xE2\x82\x82",
        "Each matrix is the product of a tall and a flat one of rank r, through which every token "
        "has to pass. Cheaper than dense as long as r is below d\xC2\xB7"
        "f/(d + f).",
        &kLowRankComponent};
    return kInfo;
}

const std::vector<Field<LowRankFfn>>& LowRankFfn::fields()
{
    static const std::vector<Field<LowRankFfn>> kFields{
        dFfField<LowRankFfn>(),
        integerField(&LowRankFfn::rank,
                     {"rank", "r", "rank", "width between the two factors of a matrix", "features"},
                     [](const LowRankFfn& ffn, const FieldContext& context) {
                         return LegalValues::integers(
                             1, std::min(context.dModel, ffn.dFf), Scale::log2);
                     }),
        choiceField(&LowRankFfn::activation,
                    {"activation", "", "activation", "between the two matrices", ""}),
        flagField(&LowRankFfn::bias, {"bias", "", "bias", "b1 and b2", ""}),
    };
    return kFields;
}

WeightShapes weights(const LowRankFfn& ffn, int dModel)
{
    WeightShapes shapes;
    const auto linear = [&](const std::string& name, int in, int out) {
        shapes.push_back({name + ".u", in, ffn.rank, Init::normal});
        shapes.push_back({name + ".v", ffn.rank, out, Init::normal});
        if (ffn.bias) {
            shapes.push_back({name + ".bias", 1, out, Init::small});
        }
    };
    linear("c_fc", dModel, ffn.dFf);
    linear("c_proj", ffn.dFf, dModel);
    return shapes;
}

} // namespace flopsmith
