// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/moe.h"

// What the backward pass of a mixture of experts costs. Its tokens go where the forward pass sent
// them: the choice itself has no derivative, and so the correction bias no gradient.
namespace flopsmith {

/// Backward of routerScoreCount(): p is kept, g is its gradient.
///   softmax   p_i·(g_i − Σ g·p): per row mac row, dot 1; each 1 mul, 1 add
///   sigmoid   g·p·(1 − p): each 2 mul, 1 add
template <class N>
OpCount<N> routerScoreBackwardCount(RouterScore score, const N& rows, const N& row)
{
    const N n = rows * row;
    if (score == RouterScore::sigmoid) {
        return {.mul = N(2) * n, .add = n};
    }
    return {.mac = n, .dot = rows, .mul = n, .add = n};
}

namespace detail {

/// How many tokens an expert gets is not known, and some may get none: its gradients start at 0
/// and every token is added. So a gradient of in·out elements saves no addition (no dot), and one
/// of a bias takes T·k·out.
template <class N>
void addRoutedExpertsBackward(const MoeFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N touched = touchedExperts(ffn, pass);
    const CostTree<N> one = oneExpert<N>([&](CostTree<N>& alone) {
        const Pass<N> rows = rowsOfExperts(ffn, pass);
        std::visit([&](const auto& expert) { addBackwardCost(expert, rows, alone); },
                   ffn.routedExpert());
    });
    const auto group = tree.group("experts", *MoeFfn::info().component);
    one.forEachOperation(0, [&](const auto& operation, const N& /*times*/) {
        Cost<N> cost = operation.cost;
        const N matrix = cost.traffic.weights;
        const N bias = cost.traffic.gradients - matrix;
        cost.count.dot = cost.count.dot - matrix;
        cost.count.add = cost.count.add + bias;
        cost.traffic.weights = touched * matrix;
        cost.traffic.gradients = touched * (matrix + bias);
        tree.operation(operation.name, operation.kind, operation.elements, cost);
    });
}

template <class N>
void addSharedExpertsBackward(const MoeFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N t = pass.tokens();
    const N n = t * pass.dModel;
    const auto group = tree.group("shared", *MoeFfn::info().component);
    std::visit([&](const auto& shared) { addBackwardCost(shared, pass, tree); }, ffn.sharedFfn());
    if (ffn.hasSharedGate()) {
        Cost<N> gate = linearBackwardCost(t, pass.dModel, N(1), Bias::absent);
        gate += {.count = {.add = n}, .traffic = {.read = N(2) * n, .written = n}};
        tree.operation("shared_gate", OpKind::linear, n, gate);
        tree.operation("open",
                       OpKind::elementwise,
                       N(n + t),
                       {.count = {.mac = n, .dot = t, .mul = n + N(2) * t, .add = t},
                        .traffic = {.read = N(3) * n + t, .written = n + t}});
    }
    tree.operation("sum",
                   OpKind::elementwise,
                   n,
                   {.count = {.add = n}, .traffic = {.read = N(2) * n, .written = n}});
}

/// From the gradients of the chosen weights to that of x through the router.
template <class N>
void addRoutingBackward(const MoeFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N t = pass.tokens();
    const N n = t * pass.dModel;
    const N experts = pass.numbers("E", ffn.experts);
    const N perToken = pass.numbers("k", ffn.perToken);
    const N chosen = t * perToken;
    const N all = t * experts;
    Cost<N> router = linearBackwardCost(t, pass.dModel, experts, biasIf(ffn.routerBias));
    router += {.count = {.add = n}, .traffic = {.read = N(2) * n, .written = n}};
    tree.operation("router", OpKind::linear, n, router);

    const N row = ffn.scored == ScoredExperts::all ? experts : perToken;
    const N scores = t * row;
    tree.operation("score",
                   ffn.score == RouterScore::softmax ? OpKind::softmax : OpKind::activation,
                   scores,
                   {.count = routerScoreBackwardCount(ffn.score, t, row),
                    .traffic = {.read = N(2) * scores, .written = scores}});
    tree.operation("select",
                   OpKind::selection,
                   all,
                   {.count = {.move = chosen}, .traffic = {.read = chosen, .written = all}});
    if (ffn.renormalises() || ffn.scales()) {
        Cost<N> weigh{.traffic = {.read = chosen, .written = chosen}};
        if (ffn.renormalises()) {
            weigh += {.count = {.mac = chosen, .dot = t, .add = chosen, .div = chosen},
                      .traffic = {.read = chosen + t}};
        }
        if (ffn.scales()) {
            weigh.count.mul = chosen;
        }
        tree.operation("weigh", OpKind::elementwise, chosen, weigh);
    }
}

} // namespace detail

/// Gradients go through the chosen experts, their weights, and the scores to the router.
/// combine    T·k·d elements of dy gathered; T·k·d mul; the weights' gradients are T·k dot products
///            with what the experts gave: mac T·k·d
/// experts    as one expert's backward on T·k rows, see addRoutedExpertsBackward()
/// dispatch   T·(k−1)·d add; T·k·d elements scattered
/// weigh      renormalised: mac T·k, dot T, T·k add, T·k div; scaled: T·k mul
/// select     T·k gradients scattered into zeros; none goes to the correction bias
/// score      routerScoreBackwardCount() of T rows of E, or of k
/// router     mac 2·T·d·E; T·d add, as for every other way that leads to x
/// shared     its FFN's backward; T·d add; gated: mac 3·T·d, (T·d + 2T) mul, (T·d + T) add
template <class N>
void addBackwardCost(const MoeFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N t = pass.tokens();
    const N d = pass.dModel;
    const N perToken = pass.numbers("k", ffn.perToken);
    const N chosen = t * perToken;
    const N moved = chosen * d;
    detail::addRoutingBackward(ffn, pass, tree);
    tree.operation("dispatch",
                   OpKind::lookup,
                   N(t * d),
                   {.count = {.add = t * (perToken - N(1)) * d, .move = moved},
                    .traffic = {.read = moved, .written = t * d}});
    detail::addRoutedExpertsBackward(ffn, pass, tree);
    tree.operation("combine",
                   OpKind::elementwise,
                   N(moved + chosen),
                   {.count = {.mac = moved, .dot = chosen, .mul = moved, .move = moved},
                    .traffic = {.read = N(2) * moved + chosen, .written = moved + chosen}});
    if (ffn.sharedExperts > 0) {
        detail::addSharedExpertsBackward(ffn, pass, tree);
    }
}

} // namespace flopsmith
