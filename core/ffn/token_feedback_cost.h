// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/count/cost_tree.h"
#include "core/ffn/token_feedback.h"
#include "core/layer/activation_cost.h"
#include "core/layer/linear_cost.h"

#include <string_view>

namespace flopsmith {

/// Per token and step: products s → r (with bias) → s, mac 2·s·r; r activations; the gate
/// 2s mul, 3s add, s div, s exp. top_k: nominally d cmp, and 2s moves to read and write by index,
/// s more to read the token before (a rotating window lies in one piece). Once per token: d add
/// for y. Parameters of a set 2sr + r + 2d; one token uses c and e of at most min(M·s, d) channels.
/// Saved for the backward pass: the inputs of the products and the activation, v, z, and for top_k
/// the picked indices and φ of the token before.
template <class N>
void addCost(const TokenFeedbackFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N d = pass.dModel;
    const N steps = pass.numbers("M", ffn.steps);
    const N t = steps * pass.tokens(); // token passes
    const N s = pass.numbers("s", ffn.keptFeatures(pass.dModelValue), "round(rho*d)");
    const N r = pass.numbers("r", ffn.rank);
    const bool shared = ffn.stepWeights == StepWeights::shared;
    const bool previous = ffn.feedback == Feedback::previousToken;
    const bool topK = ffn.window == FeatureWindow::topK;
    const N sets = shared ? N(1) : steps;
    const N reached = shared
        ? pass.numbers("s_M", ffn.reachedFeatures(pass.dModelValue), "min(M*s, d)")
        : N(steps * s);

    if (topK) {
        tree.operation("select",
                       OpKind::selection,
                       N(t * s),
                       {.count = {.cmp = t * d, .move = N(2) * t * s},
                        .traffic = {.read = t * d},
                        .saved = t * s});
    }
    const auto product = [&](std::string_view name, const N& in, const N& out, Bias bias) {
        Cost<N> cost = linearCost(t, in, out, bias);
        cost.parameters = sets * cost.parameters;
        cost.traffic.weights = steps * cost.traffic.weights;
        cost.traffic.vectors = steps * cost.traffic.vectors;
        cost.saved = t * in;
        tree.operation(name, OpKind::linear, N(t * out), cost);
    };
    product("down", s, r, Bias::present);
    if (ffn.activation != Activation::none) {
        const N n = t * r;
        tree.operation("activation", OpKind::activation, n, activationCost(ffn.activation, n));
    }
    product("up", r, s, Bias::absent);
    const N n = t * s;
    tree.operation("gate",
                   OpKind::elementwise,
                   n,
                   {.count = {.mul = N(2) * n,
                              .add = N(3) * n,
                              .div = n,
                              .exp = n,
                              .move = topK && previous ? n : N(0)},
                    .traffic = {.weights = N(2) * steps * s,
                                .read = previous ? N(N(3) * n) : N(N(2) * n),
                                .written = n},
                    .parameters = {.trainable = N(2) * sets * d, .active = N(2) * reached}});
    const N all = pass.tokens() * d;
    tree.operation("difference",
                   OpKind::elementwise,
                   all,
                   {.count = {.add = all}, .traffic = {.read = N(2) * all, .written = all}});
}

/// Per token and step: two products for each of the forward pass (mac 4·s·r), the activation's
/// derivative, and for the gate z(1−z), dv, dc, de and dφ: 6s mul, 4s add; then s add where x_S
/// sums its gradients. Gradients of shared weights are sums over all steps; the gradients of c and
/// e start at zero, because which channels they get is not known. top_k reads and writes by index:
/// 2s moves, and s more for the token before. Once per token: d add.
template <class N>
void addBackwardCost(const TokenFeedbackFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N d = pass.dModel;
    const N steps = pass.numbers("M", ffn.steps);
    const N t = steps * pass.tokens();
    const N s = pass.numbers("s", ffn.keptFeatures(pass.dModelValue), "round(rho*d)");
    const N r = pass.numbers("r", ffn.rank);
    const N n = t * s;
    const bool shared = ffn.stepWeights == StepWeights::shared;
    const bool topK = ffn.window == FeatureWindow::topK;
    const bool previous = ffn.feedback == Feedback::previousToken;

    if (topK) {
        tree.operation("select", OpKind::selection, n, {.count = {.move = N(2) * n}});
    }
    const auto product = [&](const N& in, const N& out, Bias bias) {
        Cost<N> cost = shared ? linearBackwardCost(t, in, out, bias)
                              : steps * linearBackwardCost(pass.tokens(), in, out, bias);
        cost.traffic.weights = steps * in * out;
        return cost;
    };
    Cost<N> down = product(s, r, Bias::present);
    down += {.count = {.add = n}, .traffic = {.read = N(2) * n, .written = n}};
    tree.operation("down", OpKind::linear, n, down);
    if (ffn.activation != Activation::none) {
        const N inner = t * r;
        tree.operation(
            "activation", OpKind::activation, inner, activationBackwardCost(ffn.activation, inner));
    }
    tree.operation("up", OpKind::linear, N(t * r), product(r, s, Bias::absent));
    tree.operation(
        "gate",
        OpKind::elementwise,
        N(N(2) * n),
        {.count = {.mul = N(6) * n, .add = N(4) * n, .move = topK && previous ? n : N(0)},
         .traffic = {.weights = steps * s,
                     .read = N(5) * n,
                     .written = N(2) * n,
                     .gradients = N(2) * (shared ? N(1) : steps) * d}});
    const N all = pass.tokens() * d;
    tree.operation("difference",
                   OpKind::elementwise,
                   all,
                   {.count = {.add = all}, .traffic = {.read = N(2) * all, .written = all}});
}

} // namespace flopsmith
