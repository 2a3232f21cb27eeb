// SPDX-License-Identifier: MIT
#include "core/ffn/kronecker.h"

#include <algorithm>

namespace flopsmith {
namespace {

constexpr Component kComponent{"kronecker", "Kronecker", 0xB79F00, Hatch::vertical};

// The other part of a product; of use before d₁ or f₁ is mended, too.
int cofactor(int product, int part)
{
    return std::max(1, product / std::max(1, part));
}

KroneckerMatrix matrixOf(const KroneckerFfn& ffn, int in1, int in2, int out1, int out2)
{
    return {{ffn.rank, in1, out1, kept(ffn.keepRatio, out1)},
            {ffn.rank, in2, out2, kept(ffn.keepRatio, out2)}};
}

// Rearranged, W is a matrix [d₁·f₁, d₂·f₂] whose rank is the number of terms that W needs
// (Van Loan and Pitsianis 1993): more could not say more.
LegalValues legalRank(const KroneckerFfn& ffn, const FieldContext& context)
{
    const std::int64_t left = std::int64_t{std::max(1, ffn.d1)} * std::max(1, ffn.f1);
    const std::int64_t right =
        std::int64_t{cofactor(context.dModel, ffn.d1)} * cofactor(ffn.dFf, ffn.f1);
    return LegalValues::integers(1, std::min(left, right), Scale::log2);
}

Field<KroneckerFfn> seedField()
{
    return onlyIf(integerField(&KroneckerFfn::seed,
                               {"factor_seed", "", "entry seed", "draws the kept entries", ""},
                               [](const KroneckerFfn&, const FieldContext&) {
                                   return LegalValues::integers(0, 1'000'000);
                               }),
                  [](const KroneckerFfn& ffn) { return ffn.keepRatio < 1.0; });
}

void addLinear(const std::string& name,
               const KroneckerMatrix& matrix,
               bool bias,
               WeightShapes& shapes)
{
    shapes.push_back({name + ".a", matrix.a.rows(), matrix.a.kept, Init::normal});
    shapes.push_back({name + ".b", matrix.b.rows(), matrix.b.kept, Init::normal});
    if (bias) {
        shapes.push_back({name + ".bias", 1, matrix.out(), Init::small});
    }
}

} // namespace

KroneckerMatrix KroneckerFfn::up(int dModel) const
{
    return matrixOf(*this, d1, cofactor(dModel, d1), f1, cofactor(dFf, f1));
}

KroneckerMatrix KroneckerFfn::down(int dModel) const
{
    return matrixOf(*this, f1, cofactor(dFf, f1), d1, cofactor(dModel, d1));
}

std::vector<int> KroneckerFfn::keptColumns(Factor which, int dModel) const
{
    const bool isUp = which == Factor::upA || which == Factor::upB;
    const bool isLeft = which == Factor::upA || which == Factor::downA;
    const KroneckerMatrix matrix = isUp ? up(dModel) : down(dModel);
    return (isLeft ? matrix.a : matrix.b).columns(4 * seed + static_cast<int>(which));
}

const VariantInfo& KroneckerFfn::info()
{
    static constexpr VariantInfo kInfo{"kronecker",
                                       "Kronecker",
                                       "act(x\xC2\xB7\xCE\xA3 A\xE2\x8A\x97"
                                       "B)\xC2\xB7\xCE\xA3 C\xE2\x8A\x97"
                                       "D",
                                       "Builds each large matrix from Kronecker products of small "
                                       "ones and never forms it: a token "
                                       "becomes a small matrix that is multiplied from both sides.",
                                       &kComponent};
    return kInfo;
}

const std::vector<Field<KroneckerFfn>>& KroneckerFfn::fields()
{
    static const std::vector<Field<KroneckerFfn>> kFields{
        dFfField<KroneckerFfn>(),
        integerField(&KroneckerFfn::d1,
                     {"d_1",
                      "d_A",
                      "d\xE2\x82\x81",
                      "d_model = d\xE2\x82\x81\xC2\xB7"
                      "d\xE2\x82\x82: rows of the left factors",
                      "features"},
                     [](const KroneckerFfn&, const FieldContext& context) {
                         return LegalValues::divisorsOf(context.dModel);
                     }),
        integerField(&KroneckerFfn::f1,
                     {"f_1",
                      "f_A",
                      "f\xE2\x82\x81",
                      "d_ff = f\xE2\x82\x81\xC2\xB7"
                      "f\xE2\x82\x82: columns of the left factors",
                      "features"},
                     [](const KroneckerFfn& ffn, const FieldContext&) {
                         return LegalValues::divisorsOf(ffn.dFf);
                     }),
        integerField(&KroneckerFfn::rank,
                     {"rank", "R", "rank", "Kronecker products that each matrix is the sum of", ""},
                     legalRank),
        ratioField(&KroneckerFfn::keepRatio,
                   {"factor_keep_ratio",
                    "\xCF\x81",
                    "factor_keep_ratio",
                    "share of the entries kept in each row of each factor",
                    ""}),
        seedField(),
        choiceField(&KroneckerFfn::activation,
                    {"activation", "", "activation", "between the two matrices", ""}),
        flagField(&KroneckerFfn::bias, {"bias", "", "bias", "b1 and b2", ""}),
    };
    return kFields;
}

WeightShapes weights(const KroneckerFfn& ffn, int dModel)
{
    WeightShapes shapes;
    addLinear("c_fc", ffn.up(dModel), ffn.bias, shapes);
    addLinear("c_proj", ffn.down(dModel), ffn.bias, shapes);
    return shapes;
}

} // namespace flopsmith
