// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/count/cost_tree.h"
#include "core/ffn/shared/index_list_cost.h"
#include "core/ffn/spectral.h"
#include "core/layer/activation_cost.h"

namespace flopsmith {

/// fft algorithm, per token: two nominal real FFTs of length d; filter 4k mul + 2k add; `learned`
/// and `top_k` read and write their k complex bins by index, 4k moves; top_k adds 2F mul + F add
/// for |X|² and nominally F cmp.
/// The list of learned bins is `fixed`.
/// direct algorithm, per token: products d → 2k and 2k → d, filter as above. The basis [d, 2k] is
/// stored but not trained (`fixed`), and replaces the list of bins.
/// Saved for the backward pass: the 2k numbers of the kept bins of X, for top_k their k indices
/// too.
template <class N>
void addCost(const SpectralFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N t = pass.tokens();
    const N d = pass.dModel;
    const N k = pass.numbers("k", ffn.kFreq);
    const bool topK = ffn.selection == BinSelection::topK;
    const N bins = pass.numbers("F", SpectralFfn::bins(pass.dModelValue), "floor(d/2) + 1");
    const N filterSize = topK ? N(2) * bins : N(2) * k;

    Cost<N> filter{
        .count = {.mul = N(4) * t * k, .add = N(2) * t * k},
        .traffic = {.weights = filterSize, .read = N(2) * t * k, .written = N(2) * t * k},
        .parameters = {.trainable = filterSize, .active = N(2) * k},
        .saved = topK ? N(3) * t * k : N(2) * t * k};

    if (ffn.algorithmFor(pass.dModelValue) == SpectralAlgorithm::direct) {
        const N basis = N(2) * d * k;
        tree.operation("analysis",
                       OpKind::linear,
                       N(2) * t * k,
                       {.count = {.mac = t * basis, .dot = N(2) * t * k},
                        .traffic = {.weights = basis, .read = t * d, .written = N(2) * t * k},
                        .parameters = {.fixed = basis}});
        tree.operation("filter", OpKind::filter, N(2) * t * k, filter);
        tree.operation("synthesis",
                       OpKind::linear,
                       N(t * d),
                       {.count = {.mac = t * basis, .dot = t * d},
                        .traffic = {.weights = basis, .read = N(2) * t * k, .written = t * d}});
    } else {
        const OpCount<N> transform{.fft = t * pass.numbers.realFft(d, pass.dModelValue)};
        const N spectrum = N(2) * t * bins;
        tree.operation("rfft",
                       OpKind::transform,
                       spectrum,
                       {.count = transform, .traffic = {.read = t * d, .written = spectrum}});
        if (topK) {
            tree.operation("select",
                           OpKind::selection,
                           N(t * k),
                           {.count = {.mul = N(2) * t * bins, .add = t * bins, .cmp = t * bins},
                            .traffic = {.read = spectrum}});
        }
        if (ffn.selection != BinSelection::lowPass) {
            filter.count.move = N(4) * t * k;
        }
        if (ffn.selection == BinSelection::learned) {
            filter += indexListCost(k);
        }
        tree.operation("filter", OpKind::filter, N(2) * t * k, filter);
        tree.operation("irfft",
                       OpKind::transform,
                       N(t * d),
                       {.count = transform, .traffic = {.read = spectrum, .written = t * d}});
    }
    if (ffn.activation != Activation::none) {
        const N n = t * d;
        tree.operation("activation", OpKind::activation, n, activationCost(ffn.activation, n));
    }
}

/// The gradient of the filter for T tokens, by G = rfft(dy): conj(w)·G is the spectrum of dx, and
/// dw_j = c_j/d·Σ_t conj(X_j)·G_j with c = 1 for bin 0 and bin d/2 and 2 for the others.
///   8k mul + 6k add per token, minus the first addition to each sum (the sums of top_k begin at 0)
///   fft     the factors of dw once, 2 mul per entry; `learned` and `top_k` 4k moves per token
///   direct  the factors belong to the synthesis basis, whose transpose yields G·c/d
template <class N>
Cost<N> filterBackwardCost(const SpectralFfn& ffn, const N& tokens, const N& k, const N& entries)
{
    const bool topK = ffn.selection == BinSelection::topK;
    return {.count = {.mul = N(8) * tokens * k,
                      .add = topK ? N(6) * tokens * k : N(N(6) * tokens * k - N(2) * k)},
            .traffic = {.weights = N(2) * entries,
                        .read = N(6) * tokens * k,
                        .written = N(2) * tokens * k,
                        .gradients = N(2) * entries}};
}

/// fft algorithm, per token: two nominal real FFTs of length d, rfft(dy) and the irfft that yields
/// dx. direct algorithm, per token: products d → 2k and 2k → d with the transposed bases, which
/// have no gradient. The selection has no gradient either: the bins stay those of the forward pass.
template <class N>
void addBackwardCost(const SpectralFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N t = pass.tokens();
    const N d = pass.dModel;
    const N k = pass.numbers("k", ffn.kFreq);
    const bool topK = ffn.selection == BinSelection::topK;
    const N bins = pass.numbers("F", SpectralFfn::bins(pass.dModelValue), "floor(d/2) + 1");
    Cost<N> filter = filterBackwardCost(ffn, t, k, topK ? bins : k);

    if (ffn.algorithmFor(pass.dModelValue) == SpectralAlgorithm::direct) {
        const N basis = N(2) * d * k;
        tree.operation("analysis",
                       OpKind::linear,
                       N(t * d),
                       {.count = {.mac = t * basis, .dot = t * d},
                        .traffic = {.weights = basis, .read = N(2) * t * k, .written = t * d}});
        tree.operation("filter", OpKind::filter, N(2) * t * k, filter);
        tree.operation("synthesis",
                       OpKind::linear,
                       N(2) * t * k,
                       {.count = {.mac = t * basis, .dot = N(2) * t * k},
                        .traffic = {.weights = basis, .read = t * d, .written = N(2) * t * k}});
    } else {
        const OpCount<N> transform{.fft = t * pass.numbers.realFft(d, pass.dModelValue)};
        const N spectrum = N(2) * t * bins;
        tree.operation("rfft",
                       OpKind::transform,
                       N(t * d),
                       {.count = transform, .traffic = {.read = spectrum, .written = t * d}});
        filter.count.mul += topK ? N(N(2) * bins) : N(N(2) * k);
        if (ffn.selection != BinSelection::lowPass) {
            filter.count.move = N(4) * t * k;
        }
        if (ffn.selection == BinSelection::learned) {
            filter += indexListBackwardCost(k);
        }
        tree.operation("filter", OpKind::filter, N(2) * t * k, filter);
        tree.operation("irfft",
                       OpKind::transform,
                       spectrum,
                       {.count = transform, .traffic = {.read = t * d, .written = spectrum}});
    }
    if (ffn.activation != Activation::none) {
        const N n = t * d;
        tree.operation(
            "activation", OpKind::activation, n, activationBackwardCost(ffn.activation, n));
    }
}

} // namespace flopsmith
