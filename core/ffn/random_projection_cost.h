// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/count/cost_tree.h"
#include "core/ffn/random_projection.h"
#include "core/ffn/shared/index_list_cost.h"
#include "core/layer/activation_cost.h"

namespace flopsmith {

/// `rows` sums of `terms` values per token, each value read by index and added or subtracted, and
/// one factor per sum: rows·(terms − 1) add, rows mul, rows·terms moves. No multiply-adds.
template <class N>
OpCount<N> signedSumsCount(const N& tokens, const N& rows, const N& terms)
{
    return {
        .mul = tokens * rows, .add = tokens * rows * (terms - N(1)), .move = tokens * rows * terms};
}

/// The transpose of the same: each of the rows·terms non-zeros adds its row's value to a column's
/// sum, which starts at zero, and one factor per value of the narrow side: rows·terms add,
/// `scaled` mul, rows·terms moves.
template <class N>
OpCount<N> signedScatterCount(const N& tokens, const N& rows, const N& terms, const N& scaled)
{
    return {.mul = tokens * scaled, .add = tokens * rows * terms, .move = tokens * rows * terms};
}

/// Per token: m sums of p inputs, m add for b, the activation, m mul for g, d sums of q features.
/// Parameters 2m; fixed m·p + d·q, one number per non-zero. Saved for the backward pass: the input
/// and the output of the activation.
template <class N>
void addCost(const RandomProjectionFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N t = pass.tokens();
    const N d = pass.dModel;
    const N m = pass.numbers("m", ffn.features);
    const N p = pass.numbers("p", ffn.inputsPerFeature(pass.dModelValue), "round(density*d)");
    const N q = pass.numbers("q", ffn.featuresPerOutput(), "round(density*m)");
    const N n = t * m;

    Cost<N> projectIn{.count = signedSumsCount(t, m, p),
                      .traffic = {.weights = m, .read = t * d, .written = n},
                      .parameters = ParameterCount<N>::dense(m)};
    projectIn.count.add += n;
    projectIn += indexListCost(N(m * p));
    tree.operation("project_in", OpKind::linear, n, projectIn);
    if (ffn.activation != Activation::none) {
        tree.operation("activation", OpKind::activation, n, activationCost(ffn.activation, n));
    }
    tree.operation("gain",
                   OpKind::elementwise,
                   n,
                   {.count = {.mul = n},
                    .traffic = {.weights = m, .read = n, .written = n},
                    .parameters = ParameterCount<N>::dense(m),
                    .saved = n});
    Cost<N> projectOut{.count = signedSumsCount(t, d, q), .traffic = {.read = n, .written = t * d}};
    projectOut += indexListCost(N(d * q));
    tree.operation("project_out", OpKind::linear, N(t * d), projectOut);
}

/// Both matrices are run through transposed, with d mul for β and α each; g has the gradient Σ_t h
/// ⊙ dw, elementwise like a norm's γ (T·m mul, (T−1)·m add), and passes on g ⊙ dw (T·m mul), w = g
/// ⊙ h; the gradient of b is Σ_t over the gradients before the activation, (T−1)·m add.
template <class N>
void addBackwardCost(const RandomProjectionFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N t = pass.tokens();
    const N d = pass.dModel;
    const N m = pass.numbers("m", ffn.features);
    const N p = pass.numbers("p", ffn.inputsPerFeature(pass.dModelValue), "round(density*d)");
    const N q = pass.numbers("q", ffn.featuresPerOutput(), "round(density*m)");
    const N n = t * m;

    Cost<N> projectIn{.count = signedScatterCount(t, m, p, d),
                      .traffic = {.read = N(2) * n, .written = t * d, .gradients = m}};
    projectIn.count.add += (t - N(1)) * m;
    projectIn += indexListBackwardCost(N(m * p));
    tree.operation("project_in", OpKind::linear, N(t * d), projectIn);
    if (ffn.activation != Activation::none) {
        tree.operation(
            "activation", OpKind::activation, n, activationBackwardCost(ffn.activation, n));
    }
    tree.operation("gain",
                   OpKind::elementwise,
                   n,
                   {.count = {.mul = N(2) * n, .add = (t - N(1)) * m},
                    .traffic = {.weights = m, .read = N(3) * n, .written = n, .gradients = m}});
    Cost<N> projectOut{.count = signedScatterCount(t, d, q, d),
                       .traffic = {.read = t * d, .written = n}};
    projectOut += indexListBackwardCost(N(d * q));
    tree.operation("project_out", OpKind::linear, n, projectOut);
}

} // namespace flopsmith
