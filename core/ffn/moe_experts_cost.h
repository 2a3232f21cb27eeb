// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/cost_tree.h"
#include "core/ffn/dense_cost.h"
#include "core/ffn/gated_cost.h"
#include "core/ffn/moe.h"
#include "core/ffn/moe_routing_cost.h"
#include "core/layer/linear_cost.h"

#include <variant>

// The cost of the experts themselves, routed and shared. Use moe_cost.h.
namespace flopsmith::detail {

/// Calls each(operation) for every operation that add(expert, pass of T·k rows, tree) adds for one
/// routed expert.
template <class N, class Add, class Each>
void forExpert(const MoeFfn& ffn, const Pass<N>& pass, const Add& add, const Each& each)
{
    Pass<N> rows = pass;
    rows.batch = pass.batch * pass.numbers("k", ffn.perToken);
    rows.batchValue = pass.batchValue * ffn.perToken;
    CostTree<N> one;
    {
        const auto group = one.group("expert", *MoeFfn::info().component);
        std::visit([&](const auto& expert) { add(expert, rows, one); }, ffn.routedExpert());
    }
    one.forEachOperation(0, [&](const auto& operation, const N& /*times*/) { each(operation); });
}

/// The operations of an expert on T·k rows, with the parameters of E experts and the weights of k:
/// the least that is read (RoutedExperts).
template <class N>
void addRoutedExperts(const MoeFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const MoeSizes<N> sizes(ffn, pass);
    const auto group = tree.group("experts", *MoeFfn::info().component);
    forExpert(
        ffn,
        pass,
        [](const auto& expert, const Pass<N>& rows, CostTree<N>& one) {
            addCost(expert, rows, one);
        },
        [&](const auto& operation) {
            Cost<N> cost = operation.cost;
            const ParameterCount<N>& ofOne = operation.cost.parameters;
            cost.traffic.weights = sizes.perToken * cost.traffic.weights;
            cost.traffic.vectors = sizes.perToken * cost.traffic.vectors;
            cost.parameters = {.trainable = sizes.experts * ofOne.trainable,
                               .active = sizes.perToken * ofOne.active,
                               .vectors = sizes.experts * ofOne.vectors};
            tree.operation(operation.name, operation.kind, operation.elements, cost);
            tree.markLastAsExpert(sizes.routed);
        });
}

/// How many tokens an expert gets is not known, and some may get none: its gradients start at 0 and
/// every token is added. So a gradient of in·out elements saves no addition (no dot), and a bias
/// gradient takes T·k·out.
template <class N>
void addRoutedExpertsBackward(const MoeFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const MoeSizes<N> sizes(ffn, pass);
    const auto group = tree.group("experts", *MoeFfn::info().component);
    forExpert(
        ffn,
        pass,
        [](const auto& expert, const Pass<N>& rows, CostTree<N>& one) {
            addBackwardCost(expert, rows, one);
        },
        [&](const auto& operation) {
            Cost<N> cost = operation.cost;
            const N matrix = cost.traffic.weights;
            const N bias = cost.traffic.gradients - matrix;
            cost.count.dot = cost.count.dot - matrix;
            cost.count.add = cost.count.add + bias;
            cost.traffic.weights = sizes.perToken * matrix;
            cost.traffic.gradients = sizes.perToken * (matrix + bias);
            tree.operation(operation.name, operation.kind, operation.elements, cost);
            tree.markLastAsExpert(sizes.routed);
        });
}

/// The shared experts on all tokens, and the addition of their output to the routed experts'.
template <class N>
void addSharedExperts(const MoeFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N t = pass.tokens();
    const N n = t * pass.dModel;
    const auto group = tree.group("shared", *MoeFfn::info().component);
    std::visit([&](const auto& shared) { addCost(shared, pass, tree); }, ffn.sharedFfn());
    if (ffn.hasSharedGate()) {
        tree.operation(
            "shared_gate", OpKind::linear, t, linearCost(t, pass.dModel, N(1), Bias::absent));
        tree.operation("open",
                       OpKind::elementwise,
                       n,
                       {.count = {.mul = n, .add = t, .div = t, .exp = t},
                        .traffic = {.read = n + t, .written = n},
                        .saved = n + t});
    }
    tree.operation("sum", OpKind::elementwise, n, sumCost(n));
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
        gate += sumCost(n);
        tree.operation("shared_gate", OpKind::linear, n, gate);
        tree.operation("open",
                       OpKind::elementwise,
                       N(n + t),
                       {.count = {.mul = N(2) * (n + t), .add = n},
                        .traffic = {.read = N(3) * n + t, .written = n + t}});
    }
    tree.operation("sum", OpKind::elementwise, n, sumCost(n));
}

} // namespace flopsmith::detail
