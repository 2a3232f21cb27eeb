// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/count/cost_tree.h"
#include "core/count/numbers.h"
#include "core/ffn/channel_selection.h"
#include "core/layer/variant_info.h"
#include "core/layer/weight_shape.h"

namespace flopsmith {

enum class PolynomialBasis {
    monomial, ///< x^m, evaluated by Horner's rule
    chebyshev, ///< T_m(tanh x), evaluated by Clenshaw's recurrence
};

template <>
std::vector<std::string_view> enumNames<PolynomialBasis>();

enum class PolynomialTerms { all, odd, even };

template <>
std::vector<std::string_view> enumNames<PolynomialTerms>();

enum class CoefficientSharing { shared, perChannel };

template <>
std::vector<std::string_view> enumNames<CoefficientSharing>();

/// Polynomial FFN: y_j = Σ_m α_m·x_j^m over the terms on the kept channels, 0 elsewhere.
struct PolynomialFfn
{
    int degree = 3; ///< K ≥ 1
    double keepRatio = 0.5; ///< ρ
    PolynomialBasis basis = PolynomialBasis::monomial;
    PolynomialTerms terms = PolynomialTerms::all;
    CoefficientSharing coefficients = CoefficientSharing::shared;
    ChannelSelection selection = ChannelSelection::fixed;
    int seed = 1; ///< draws the fixed list

    bool operator==(const PolynomialFfn&) const = default;

    /// s = round(ρd), at least 1.
    int keptChannels(int dModel) const { return kept(keepRatio, dModel); }

    /// K + 1, or as many as are odd or even.
    int termCount() const;

    static const VariantInfo& info();
    static const std::vector<Field<PolynomialFfn>>& fields();
};

/// alpha [1, terms], or [d, terms] per channel; lowest power first.
WeightShapes weights(const PolynomialFfn& ffn, int dModel);

/// One value of a polynomial with n terms (K is its degree, all terms: n = K + 1), as executed:
///   monomial   all   K mul, K add                                     (Horner)
///              odd   n + 1 mul, n − 1 add; one term: 1 mul            (Horner in x², then times x)
///              even  n mul, n − 1 add; one term: nothing
///   Chebyshev  1 exp for u = tanh x (except a single even term, which is constant), then
///              all   K mul, 2K add; K = 1: 1 mul, 1 add               (Clenshaw)
///              even  n mul, 2n add; two terms: 2 mul, 3 add           (Clenshaw in 2u² − 1)
///              odd   n + 1 mul, 2n + 1 add; one term: 1 mul
template <class N>
OpCount<N> polynomialCount(const PolynomialFfn& ffn, const N& degree, const N& terms)
{
    const int count = ffn.termCount();
    const bool chebyshev = ffn.basis == PolynomialBasis::chebyshev;
    const N exp{chebyshev ? 1 : 0};
    switch (ffn.terms) {
    case PolynomialTerms::all:
        if (!chebyshev) {
            return {.mul = degree, .add = degree};
        }
        return {.mul = degree, .add = ffn.degree == 1 ? N(1) : N(N(2) * degree), .exp = exp};
    case PolynomialTerms::odd:
        if (count == 1) {
            return {.mul = N(1), .exp = exp};
        }
        return {.mul = terms + N(1),
                .add = chebyshev ? N(N(2) * terms + N(1)) : N(terms - N(1)),
                .exp = exp};
    case PolynomialTerms::even:
        if (count == 1) {
            return {};
        }
        if (!chebyshev) {
            return {.mul = terms, .add = terms - N(1)};
        }
        return {.mul = terms, .add = count == 2 ? N(3) : N(N(2) * terms), .exp = exp};
    }
    return {};
}

/// T·s polynomial values, plus choosing the channels. Trainable parameters: the coefficients.
template <class N>
void addCost(const PolynomialFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N t = pass.tokens();
    const N d = pass.dModel;
    const N s = pass.numbers("s", ffn.keptChannels(pass.dModelValue), "round(rho*d)");
    const N degree = pass.numbers("K", ffn.degree);
    const N terms = ffn.terms == PolynomialTerms::all
        ? N(degree + N(1))
        : pass.numbers("n", ffn.termCount(), "terms kept");
    const bool perChannel = ffn.coefficients == CoefficientSharing::perChannel;
    const N stored = perChannel ? N(d * terms) : terms;
    const N used = perChannel ? N(s * terms) : terms;

    tree.operation(
        "select",
        OpKind::selection,
        N(t * s),
        {.count = t * selectionCount(ffn.selection, d, s),
         .traffic = {.read = ffn.selection == ChannelSelection::topK ? N(t * d) : N(0)}});
    tree.operation("polynomial",
                   OpKind::activation,
                   N(t * s),
                   {.count = N(t * s) * polynomialCount(ffn, degree, terms),
                    .traffic = {.weights = used, .read = t * s, .written = t * d},
                    .parameters = {.trainable = stored, .active = used}});
}

} // namespace flopsmith
