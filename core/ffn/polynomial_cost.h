// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/count/cost_tree.h"
#include "core/ffn/polynomial.h"
#include "core/ffn/shared/channel_selection_cost.h"

namespace flopsmith {

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

/// The sizes of a polynomial FFN in formulas.
template <class N>
struct PolynomialSizes
{
    N keptChannels; ///< s
    N degree; ///< K
    N terms; ///< n
    N stored; ///< coefficients
    N used; ///< coefficients that one token uses

    PolynomialSizes(const PolynomialFfn& ffn, const Pass<N>& pass)
        : keptChannels(pass.numbers("s", ffn.keptChannels(pass.dModelValue), "round(rho*d)"))
        , degree(pass.numbers("K", ffn.degree))
        , terms(ffn.terms == PolynomialTerms::all
                    ? N(degree + N(1))
                    : pass.numbers("n", ffn.termCount(), "terms kept"))
    {
        const bool perChannel = ffn.coefficients == CoefficientSharing::perChannel;
        stored = perChannel ? N(pass.dModel * terms) : terms;
        used = perChannel ? N(keptChannels * terms) : terms;
    }
};

/// T·s polynomial values, plus choosing the channels. Trainable parameters: the coefficients; fixed:
/// the list of static channels.
/// Kept for the backward pass: u of a Chebyshev polynomial, the indices of top_k; x is the input.
template <class N>
void addCost(const PolynomialFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N t = pass.tokens();
    const N d = pass.dModel;
    const PolynomialSizes<N> sizes(ffn, pass);
    const N s = sizes.keptChannels;
    const bool keepsTanh = ffn.basis == PolynomialBasis::chebyshev && !ffn.isConstant();

    tree.operation("select", OpKind::selection, N(t * s), selectionCost(ffn.selection, t, d, s));
    tree.operation("polynomial",
                   OpKind::activation,
                   N(t * s),
                   {.count = N(t * s) * polynomialCount(ffn, sizes.degree, sizes.terms),
                    .traffic = {.weights = sizes.used, .read = t * s, .written = t * d},
                    .parameters = {.trainable = sizes.stored, .active = sizes.used},
                    .saved = keepsTanh ? N(t * s) : N(0)});
}

/// From one value's dy = g: the products g·x^m or g·T_m(u), which are its contributions to the
/// gradients of the coefficients, and dx = g·y'(x). The derivative has the coefficients m·α_m, by
/// Horner's rule or by Clenshaw's recurrence of the U_m; u and so g·(1 − u²) = g − (g·u)·u are at
/// hand.
///   monomial   all   2K mul, K − 1 add
///              odd   2n + 1 mul, n − 1 add; one term: 2 mul
///              even  2n mul, n − 2 add; one term: nothing
///   Chebyshev  all   2K + 1 mul, 3K − 2 add
///              odd   2n + 2 mul, 3n + 1 add; one term: 3 mul, 1 add
///              even  2n mul, 3n − 3 add; one term: nothing
template <class N>
OpCount<N> polynomialBackwardCount(const PolynomialFfn& ffn, const N& degree, const N& terms)
{
    if (ffn.isConstant()) {
        return {};
    }
    const bool chebyshev = ffn.basis == PolynomialBasis::chebyshev;
    switch (ffn.terms) {
    case PolynomialTerms::all:
        return {.mul = chebyshev ? N(N(2) * degree + N(1)) : N(N(2) * degree),
                .add = chebyshev ? N(N(3) * degree - N(2)) : N(degree - N(1))};
    case PolynomialTerms::odd:
        if (ffn.termCount() == 1) {
            return {.mul = chebyshev ? N(3) : N(2), .add = chebyshev ? N(1) : N(0)};
        }
        return {.mul = N(2) * terms + (chebyshev ? N(2) : N(1)),
                .add = chebyshev ? N(N(3) * terms + N(1)) : N(terms - N(1))};
    case PolynomialTerms::even:
        return {.mul = N(2) * terms, .add = chebyshev ? N(N(3) * terms - N(3)) : N(terms - N(2))};
    }
    return {};
}

/// m·α_m once per pass for every coefficient that a channel may need (m = 1 is no multiplication);
/// then T·s times polynomialBackwardCount() and an addition to each of the n sums, minus the first
/// addition (per channel with top_k, the sums begin at 0). Moves: dy in, dx out, x in for
/// monomials; only dy for a constant.
template <class N>
void addBackwardCost(const PolynomialFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N t = pass.tokens();
    const N d = pass.dModel;
    const PolynomialSizes<N> sizes(ffn, pass);
    const N values = t * sizes.keptChannels;
    const bool perChannel = ffn.coefficients == CoefficientSharing::perChannel;
    const bool topK = ffn.selection == ChannelSelection::topK;
    const bool monomial = ffn.basis == PolynomialBasis::monomial;

    const N moved = ffn.isConstant() ? values : (monomial ? N(N(3) * values) : N(N(2) * values));
    tree.operation("select",
                   OpKind::selection,
                   values,
                   selectionBackwardCost(ffn.selection, moved, sizes.keptChannels));

    const N sets = !perChannel ? N(1) : (topK ? d : sizes.keptChannels);
    const N scaled =
        ffn.terms == PolynomialTerms::all ? N(sizes.degree - N(1)) : N(sizes.terms - N(1));
    OpCount<N> count = values * polynomialBackwardCount(ffn, sizes.degree, sizes.terms);
    count.mul += sets * scaled;
    count.add += values * sizes.terms - (perChannel && topK ? N(0) : sizes.used);
    tree.operation("polynomial",
                   OpKind::activation,
                   values,
                   {.count = count,
                    .traffic = {.weights = sizes.used,
                                .read = ffn.isConstant() ? values : N(N(2) * values),
                                .written = t * d,
                                .gradients = sizes.stored}});
}

} // namespace flopsmith
