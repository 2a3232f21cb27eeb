// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/count/cost_tree.h"
#include "core/ffn/micro_refine.h"
#include "core/ffn/shared/channel_selection_cost.h"

namespace flopsmith {

/// groups, per token: s refinements of 2 mul, 1 add, 1 exp, and one selection over all groups.
/// iterative, per token: M times the same and 1 add each for z + …, then d add for z − x.
/// Parameters 3d, fixed s for a static list. Kept for the backward pass: the values of tanh, the kept z of all iterations but
/// the first (which is the input), and the indices of top_k.
template <class N>
void addCost(const MicroRefineFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N t = pass.tokens();
    const N d = pass.dModel;
    const bool iterative = ffn.mode == MicroRefineMode::iterative;
    const N s = pass.numbers("s_mu", ffn.keptChannels(pass.dModelValue), "kept channels");
    const N rounds = iterative ? pass.numbers("M", ffn.steps) : N(1);
    const N refined = t * rounds * s;
    const bool topK = ffn.selection == ChannelSelection::topK;

    tree.operation(
        "select", OpKind::selection, refined, selectionCost(ffn.selection, N(t * rounds), d, s));
    OpCount<N> refine{.mul = N(2) * refined, .add = refined, .exp = refined};
    if (iterative) {
        refine.add = N(2) * refined;
    }
    tree.operation("refine",
                   OpKind::activation,
                   refined,
                   {.count = refine,
                    .traffic = {.weights = N(3) * d,
                                .read = refined,
                                .written = iterative ? refined : N(t * d)},
                    .parameters = {.trainable = N(3) * d, .active = topK ? N(3 * d) : N(3 * s)},
                    .saved = t * s * (N(2) * rounds - N(1))});
    if (iterative) {
        const N n = t * d;
        tree.operation("difference",
                       OpKind::elementwise,
                       n,
                       {.count = {.add = n}, .traffic = {.read = N(2) * n, .written = n}});
    }
}

/// Per refinement, with h = tanh(γz + δ) at hand and g the gradient of its result: the
/// contributions g·h, e·z and e to the gradients of β, γ and δ, where e = (g − (g·h)·h)·β, and e·γ
/// to the gradient of z.
///   5 mul, 1 add, 3 add to the sums, minus the first of each (the sums of top_k begin at 0);
///   iterative: 1 add more to the gradient of z, and in the end d add per token for dz − dy.
/// Moves: the gradient of z in and out, and x, which no iteration after the first needs.
template <class N>
void addBackwardCost(const MicroRefineFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N t = pass.tokens();
    const N d = pass.dModel;
    const bool iterative = ffn.mode == MicroRefineMode::iterative;
    const N s = pass.numbers("s_mu", ffn.keptChannels(pass.dModelValue), "kept channels");
    const N rounds = iterative ? pass.numbers("M", ffn.steps) : N(1);
    const N refined = t * rounds * s;
    const bool topK = ffn.selection == ChannelSelection::topK;

    tree.operation("select",
                   OpKind::selection,
                   refined,
                   selectionBackwardCost(ffn.selection, N(t * s * (N(2) * rounds + N(1))), s));
    const N additions = iterative ? N(N(5) * refined) : N(N(4) * refined);
    tree.operation(
        "refine",
        OpKind::activation,
        refined,
        {.count = {.mul = N(5) * refined, .add = topK ? additions : N(additions - N(3) * s)},
         .traffic = {.weights = N(2) * d,
                     .read = N(3) * refined,
                     .written = iterative ? refined : N(t * d),
                     .gradients = N(3) * d}});
    if (iterative) {
        const N n = t * d;
        tree.operation("difference",
                       OpKind::elementwise,
                       n,
                       {.count = {.add = n}, .traffic = {.read = N(2) * n, .written = n}});
    }
}

} // namespace flopsmith
