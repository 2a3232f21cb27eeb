// SPDX-License-Identifier: MIT
#include "core/ffn/polynomial.h"

namespace flopsmith {
namespace {

constexpr Component kPolynomialComponent{"polynomial", "Polynomial", 0xCC79A7, Hatch::backward};

} // namespace

template <>
std::vector<std::string_view> enumNames<PolynomialBasis>()
{
    return {"monomial", "chebyshev"};
}

template <>
std::vector<std::string_view> enumNames<PolynomialTerms>()
{
    return {"all", "odd", "even"};
}

template <>
std::vector<std::string_view> enumNames<CoefficientSharing>()
{
    return {"shared", "per_channel"};
}

int PolynomialFfn::termCount() const
{
    switch (terms) {
    case PolynomialTerms::all: return degree + 1;
    case PolynomialTerms::odd: return (degree + 1) / 2;
    case PolynomialTerms::even: return degree / 2 + 1;
    }
    return degree + 1;
}

const VariantInfo& PolynomialFfn::info()
{
    static constexpr VariantInfo kInfo{
        "polynomial",
        "Polynomial",
        "\xCE\xA3 \xCE\xB1\xE2\x82\x98\xC2\xB7x\xE1\xB5\x90 on kept channels",
        "Sends each kept channel through a polynomial of low degree and leaves the others out. "
        "No matrix: cost grows with d, not with d squared.",
        &kPolynomialComponent};
    return kInfo;
}

const std::vector<Field<PolynomialFfn>>& PolynomialFfn::fields()
{
    static const std::vector<Field<PolynomialFfn>> kFields{
        integerField(
            &PolynomialFfn::degree,
            {"poly_degree", "K", "poly_degree", "highest power", ""},
            [](const PolynomialFfn&, const FieldContext&) { return LegalValues::integers(1, 64); }),
        ratioField(&PolynomialFfn::keepRatio,
                   {"poly_keep_ratio",
                    "\xCF\x81",
                    "poly_keep_ratio",
                    "share of the channels that are kept",
                    ""}),
        choiceField(&PolynomialFfn::basis,
                    {"basis", "", "basis", "powers of x, or Chebyshev polynomials of tanh x", ""}),
        choiceField(&PolynomialFfn::terms,
                    {"terms", "", "terms", "all powers, only odd or only even ones", ""}),
        choiceField(&PolynomialFfn::coefficients,
                    {"coefficients", "", "coefficients", "one set, or one for each channel", ""}),
        choiceField(
            &PolynomialFfn::selection,
            {"poly_selection", "", "channels", "a fixed list, or the largest of each token", ""}),
        onlyIf(integerField(&PolynomialFfn::seed,
                            {"poly_seed", "", "list seed", "draws the fixed list of channels", ""},
                            [](const PolynomialFfn&, const FieldContext&) {
                                return LegalValues::integers(0, 1'000'000);
                            }),
               [](const PolynomialFfn& ffn) { return ffn.selection == ChannelSelection::fixed; }),
    };
    return kFields;
}

WeightShapes weights(const PolynomialFfn& ffn, int dModel)
{
    const int sets = ffn.coefficients == CoefficientSharing::perChannel ? dModel : 1;
    return {{"alpha", sets, ffn.termCount(), Init::small}};
}

} // namespace flopsmith
