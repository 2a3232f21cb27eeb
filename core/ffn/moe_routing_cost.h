// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/count/cost_tree.h"
#include "core/ffn/moe.h"
#include "core/layer/linear_cost.h"

#include <cstdint>

// The cost of sending tokens to experts. Use moe_cost.h.
namespace flopsmith {

/// `n` scores in rows of `row`.
///   softmax   per row: row−1 cmp, 2·row−1 add, row exp, row div
///   sigmoid   each: 1 add, 1 div, 1 exp
template <class N>
OpCount<N> routerScoreCount(RouterScore score, const N& rows, const N& row)
{
    const N n = rows * row;
    if (score == RouterScore::sigmoid) {
        return {.add = n, .div = n, .exp = n};
    }
    return {.add = rows * (N(2) * row - N(1)), .div = n, .exp = n, .cmp = rows * (row - N(1))};
}

/// Backward of routerScoreCount(): p is kept, g is its gradient.
///   softmax   p_i·(g_i − Σ g·p): per row 2·row mul, 2·row−1 add
///   sigmoid   g·p·(1 − p): each 2 mul, 1 add
template <class N>
OpCount<N> routerScoreBackwardCount(RouterScore score, const N& rows, const N& row)
{
    const N n = rows * row;
    if (score == RouterScore::sigmoid) {
        return {.mul = N(2) * n, .add = n};
    }
    return {.mul = N(2) * n, .add = N(2) * n - rows};
}

/// The sizes of a mixture of experts in formulas.
template <class N>
struct MoeSizes
{
    N t; ///< T
    N d;
    N experts; ///< E
    N perToken; ///< k
    N all; ///< T·E logits
    N chosen; ///< T·k rows that go to experts
    N moved; ///< T·k·d elements of those rows
    RoutedExperts routed;

    MoeSizes(const MoeFfn& ffn, const Pass<N>& pass)
        : t(pass.tokens())
        , d(pass.dModel)
        , experts(pass.numbers("E", ffn.experts))
        , perToken(pass.numbers("k", ffn.perToken))
        , all(t * experts)
        , chosen(t * perToken)
        , moved(chosen * d)
        , routed{.experts = ffn.experts,
                 .perToken = ffn.perToken,
                 .tokens = std::int64_t{pass.batchValue} * pass.sequenceValue}
    {}

    /// Scores of a token: of all experts, or of the chosen.
    const N& row(const MoeFfn& ffn) const
    {
        return ffn.scored == ScoredExperts::all ? experts : perToken;
    }
};

namespace detail {

inline OpKind scoreKind(RouterScore score)
{
    return score == RouterScore::softmax ? OpKind::softmax : OpKind::activation;
}

/// Adds n elements to n others.
template <class N>
Cost<N> sumCost(const N& n)
{
    return {.count = {.add = n}, .traffic = {.read = N(2) * n, .written = n}};
}

/// Correction, choice of the groups, choice of the experts.
template <class N>
void addChoice(const MoeFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const MoeSizes<N> sizes(ffn, pass);
    const N candidates = ffn.limitsGroups()
        ? N(sizes.t * pass.numbers("E_c", ffn.candidates(), "E*g_k/g"))
        : sizes.all;
    if (ffn.limitsGroups()) {
        const N groups = sizes.t * pass.numbers("g", ffn.groups);
        const N kept = sizes.t * pass.numbers("g_k", ffn.groupsPerToken);
        tree.operation(
            "select_groups",
            OpKind::selection,
            kept,
            {.count = {.add = ffn.sumsGroups() ? groups : N(0), .cmp = sizes.all + groups},
             .traffic = {.read = sizes.all, .written = kept}});
    }
    Cost<N> select{.count = {.cmp = candidates, .move = sizes.chosen},
                   .traffic = {.read = candidates, .written = sizes.chosen},
                   .saved = sizes.chosen};
    if (ffn.correctionBias) {
        select.count.add = sizes.all;
        select.traffic.weights = sizes.experts;
        select.parameters.fixed = sizes.experts;
    }
    tree.operation("select", OpKind::selection, sizes.chosen, select);
}

/// Logits, scores, choice and weights of every token.
template <class N>
void addRouting(const MoeFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const MoeSizes<N> sizes(ffn, pass);
    Cost<N> router = linearCost(sizes.t, sizes.d, sizes.experts, biasIf(ffn.routerBias));
    router.traffic.vectors = router.traffic.weights;
    router.parameters.vectors = router.parameters.trainable;
    tree.operation("router", OpKind::linear, sizes.all, router);
    const N n = sizes.t * sizes.row(ffn);
    const Cost<N> score{.count = routerScoreCount(ffn.score, sizes.t, sizes.row(ffn)),
                        .traffic = {.read = n, .written = n},
                        .saved = n};
    if (ffn.scored == ScoredExperts::all) {
        tree.operation("score", scoreKind(ffn.score), n, score);
    }
    addChoice(ffn, pass, tree);
    if (ffn.scored == ScoredExperts::chosen) {
        tree.operation("score", scoreKind(ffn.score), n, score);
    }
    if (ffn.renormalises() || ffn.scales()) {
        Cost<N> weigh{.traffic = {.read = sizes.chosen, .written = sizes.chosen}};
        if (ffn.renormalises()) {
            weigh.count += {.add = sizes.t * (sizes.perToken - N(1)), .div = sizes.chosen};
            weigh.saved = sizes.chosen + sizes.t;
        }
        if (ffn.scales()) {
            weigh.count += {.mul = sizes.chosen};
        }
        tree.operation("weigh", OpKind::elementwise, sizes.chosen, weigh);
    }
}

/// From the gradients of the chosen weights to the gradient of x through the router.
template <class N>
void addRoutingBackward(const MoeFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const MoeSizes<N> sizes(ffn, pass);
    const N n = sizes.t * sizes.d;
    Cost<N> router = linearBackwardCost(sizes.t, sizes.d, sizes.experts, biasIf(ffn.routerBias));
    router += sumCost(n);
    tree.operation("router", OpKind::linear, n, router);

    const N scores = sizes.t * sizes.row(ffn);
    tree.operation("score",
                   scoreKind(ffn.score),
                   scores,
                   {.count = routerScoreBackwardCount(ffn.score, sizes.t, sizes.row(ffn)),
                    .traffic = {.read = N(2) * scores, .written = scores}});
    tree.operation(
        "select",
        OpKind::selection,
        sizes.all,
        {.count = {.move = sizes.chosen}, .traffic = {.read = sizes.chosen, .written = sizes.all}});
    if (ffn.renormalises() || ffn.scales()) {
        Cost<N> weigh{.traffic = {.read = sizes.chosen, .written = sizes.chosen}};
        if (ffn.renormalises()) {
            weigh += {.count = {.mul = sizes.chosen,
                                .add = N(2) * sizes.chosen - sizes.t,
                                .div = sizes.chosen},
                      .traffic = {.read = sizes.chosen + sizes.t}};
        }
        if (ffn.scales()) {
            weigh.count += {.mul = sizes.chosen};
        }
        tree.operation("weigh", OpKind::elementwise, sizes.chosen, weigh);
    }
}

} // namespace detail

} // namespace flopsmith
