// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/cost_tree.h"
#include "core/ffn/moe.h"
#include "core/ffn/moe_experts_cost.h"
#include "core/ffn/moe_routing_cost.h"

namespace flopsmith {

/// router         mac T·d·E (+ T·E add)
/// score          routerScoreCount() of T rows of E, or of k
/// select_groups  if limited: nominally T·E cmp to find the best of the groups, T·G add for sums of
///                two, nominally T·G cmp to choose the groups
/// select         nominally T·E cmp, if limited T·(experts in the chosen groups); T·k scores move;
///                with a correction T·E add, and E parameters that are fixed: gradients do not
///                train it
/// weigh          renormalised: T·(k−1) add, T·k div; scaled: T·k mul
/// dispatch       T·k·d elements gathered
/// experts        one expert's operations on T·k rows; parameters E, active k experts
/// combine        T·k·d mul, T·(k−1)·d add; T·k·d elements scattered
/// shared         one FFN of width E_s·f_s on T tokens, T·d add; gated: mac T·d, T sigmoids, T·d mul
/// Saved for the backward pass: scores, choice and weights, the gathered rows, the experts' saved
/// activations and outputs, and the output of the shared experts if they are gated.
template <class N>
void addCost(const MoeFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const MoeSizes<N> sizes(ffn, pass);
    const N n = sizes.t * sizes.d;
    detail::addRouting(ffn, pass, tree);
    tree.operation("dispatch",
                   OpKind::lookup,
                   sizes.moved,
                   {.count = {.move = sizes.moved},
                    .traffic = {.read = sizes.moved, .written = sizes.moved},
                    .saved = sizes.moved});
    detail::addRoutedExperts(ffn, pass, tree);
    tree.operation("combine",
                   OpKind::elementwise,
                   n,
                   {.count = {.mul = sizes.moved,
                              .add = sizes.t * (sizes.perToken - N(1)) * sizes.d,
                              .move = sizes.moved},
                    .traffic = {.read = sizes.moved + sizes.chosen, .written = n},
                    .saved = sizes.moved + sizes.chosen});
    if (ffn.sharedExperts > 0) {
        detail::addSharedExperts(ffn, pass, tree);
    }
}

/// Gradients take the tokens' ways back, through the chosen experts, their weights, and the scores
/// to the router; the choice itself has no derivative, and so the correction has no gradient.
/// combine    T·k·d elements of dy gathered; T·k·d mul; the weights' gradients are T·k sums of
///            products with what the experts gave: T·k·d mul, T·k·(d−1) add
/// experts    as one expert's backward on T·k rows, see addRoutedExpertsBackward()
/// dispatch   T·(k−1)·d add; T·k·d elements scattered
/// weigh      renormalised: T·k mul, T·(2k−1) add, T·k div; scaled: T·k mul
/// select     T·k gradients scattered into zeros
/// score      routerScoreBackwardCount() of T rows of E, or of k
/// router     mac 2·T·d·E; T·d add, as for every other path that leads to x
/// shared     its FFN's backward; T·d add; gated: mac 2·T·d, 2·(T·d + T) mul, 2·T·d add
/// Sums of products over a single row are elementwise work, as in the backward pass of attention's
/// softmax and as the weighted sum is in the forward pass: MACs are router and experts alone.
template <class N>
void addBackwardCost(const MoeFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const MoeSizes<N> sizes(ffn, pass);
    const N n = sizes.t * sizes.d;
    detail::addRoutingBackward(ffn, pass, tree);
    tree.operation(
        "dispatch",
        OpKind::lookup,
        n,
        {.count = {.add = sizes.t * (sizes.perToken - N(1)) * sizes.d, .move = sizes.moved},
         .traffic = {.read = sizes.moved, .written = n}});
    detail::addRoutedExpertsBackward(ffn, pass, tree);
    tree.operation("combine",
                   OpKind::elementwise,
                   N(sizes.moved + sizes.chosen),
                   {.count = {.mul = N(2) * sizes.moved,
                              .add = sizes.moved - sizes.chosen,
                              .move = sizes.moved},
                    .traffic = {.read = N(2) * sizes.moved + sizes.chosen,
                                .written = sizes.moved + sizes.chosen}});
    if (ffn.sharedExperts > 0) {
        detail::addSharedExpertsBackward(ffn, pass, tree);
    }
}

} // namespace flopsmith
