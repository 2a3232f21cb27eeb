// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/count/cost_tree.h"
#include "core/ffn/composed.h"
#include "core/ffn/ffn.h"

namespace flopsmith {

/// Dropout of `n` elements in the forward pass of training: 1 cmp of each draw with p and 1 mul by
/// m/(1 − p). The generator works on integers, which are no operations here. Kept for the backward
/// pass: the mask.
template <class N>
Cost<N> dropoutCost(const N& n)
{
    return {.count = {.mul = n, .cmp = n}, .traffic = {.read = n, .written = N(2) * n}, .saved = n};
}

/// dy by the same mask: 1 mul each.
template <class N>
Cost<N> dropoutBackwardCost(const N& n)
{
    return {.count = {.mul = n}, .traffic = {.read = N(2) * n, .written = n}};
}

/// The gates and sums around n stages.
///   gates       n or n·d sigmoids once per pass: 1 add, 1 div, 1 exp each; then n·T·d mul
///   parallel    (n−1)·T·d add
///   sequential  n·T·d add, and T·d for y = z − x
/// Kept for the backward pass: the outputs of gated stages and the sigmoids of the gates; in sequence, the
/// inputs of all stages but the first.
template <class N>
Cost<N> combinationCost(const ComposedFfn& ffn, const Pass<N>& pass, const N& stages)
{
    const N n = pass.tokens() * pass.dModel;
    const bool parallel = ffn.mode == CompositionMode::parallel;
    Cost<N> cost{.count = {.add = (parallel ? N(stages - N(1)) : N(stages + N(1))) * n},
                 .traffic = {.read = (parallel ? stages : N(N(2) * stages + N(2))) * n,
                             .written = (parallel ? N(1) : N(stages + N(1))) * n}};
    if (ffn.gate != GateKind::none) {
        const N gates = ffn.gate == GateKind::channel ? N(stages * pass.dModel) : stages;
        cost.count += {.mul = stages * n, .add = gates, .div = gates, .exp = gates};
        cost.traffic.weights = gates;
        cost.parameters = ParameterCount<N>::dense(gates);
        cost.saved = stages * n + gates;
    }
    if (!parallel) {
        cost.saved += (stages - N(1)) * n;
    }
    return cost;
}

/// Backward of the same. A gate σ(g) needs d(output of the stage) = σ ⊙ dz and
/// dg = Σ dz·stage(z) · σ·(1 − σ), where dz is dy itself side by side.
///   gates       n·T·d mul for σ ⊙ dz; n·T·d mul and n·T·d add less one per gate for the sums;
///               then per gate 2 mul, 1 add
///   parallel    (n−1)·T·d add
///   sequential  n·T·d add, and T·d for dx = dz − dy
template <class N>
Cost<N> combinationBackwardCost(const ComposedFfn& ffn, const Pass<N>& pass, const N& stages)
{
    const N n = pass.tokens() * pass.dModel;
    const bool parallel = ffn.mode == CompositionMode::parallel;
    Cost<N> cost{.count = {.add = (parallel ? N(stages - N(1)) : N(stages + N(1))) * n},
                 .traffic = {.read = (parallel ? stages : N(N(2) * stages + N(2))) * n,
                             .written = (parallel ? N(1) : N(stages + N(1))) * n}};
    if (ffn.gate != GateKind::none) {
        const N gates = ffn.gate == GateKind::channel ? N(stages * pass.dModel) : stages;
        cost.count += {.mul = N(2) * stages * n + N(2) * gates, .add = stages * n};
        cost.traffic += {
            .weights = gates, .read = N(3) * stages * n, .written = stages * n, .gradients = gates};
    }
    return cost;
}

/// Calls add(spec) for each stage inside its group, so that each stage has rows of its own in every
/// table.
template <class N, class Add>
void addStages(const ComposedFfn& ffn, CostTree<N>& tree, const Add& add)
{
    for (std::size_t i = 0; i < ffn.stages.size(); ++i) {
        const VariantInfo& stage = info(ffn.stages[i].spec);
        bool repeated = false;
        for (std::size_t j = 0; j < ffn.stages.size(); ++j) {
            repeated = repeated || (j != i && info(ffn.stages[j].spec).id == stage.id);
        }
        const auto group =
            tree.group(stage.id, *stage.component, repeated ? static_cast<int>(i) : -1);
        add(ffn.stages[i].spec);
    }
}

/// The stages, then their combination, and in training dropout.
template <class N>
void addCost(const ComposedFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    addStages(ffn, tree, [&](const FfnSpec& stage) { addCost(stage, pass, tree); });
    if (!ffn.stages.empty()) {
        const N stages{static_cast<int>(ffn.stages.size())};
        tree.operation("combine",
                       OpKind::elementwise,
                       N(pass.tokens() * pass.dModel),
                       combinationCost(ffn, pass, stages));
        if (pass.training && ffn.drops()) {
            const N n = pass.tokens() * pass.dModel;
            tree.operation("dropout", OpKind::elementwise, n, dropoutCost(n));
        }
    }
}

template <class N>
void addBackwardCost(const ComposedFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    addStages(ffn, tree, [&](const FfnSpec& stage) { addBackwardCost(stage, pass, tree); });
    if (!ffn.stages.empty()) {
        const N stages{static_cast<int>(ffn.stages.size())};
        tree.operation("combine",
                       OpKind::elementwise,
                       N(pass.tokens() * pass.dModel),
                       combinationBackwardCost(ffn, pass, stages));
        if (ffn.drops()) {
            const N n = pass.tokens() * pass.dModel;
            tree.operation("dropout", OpKind::elementwise, n, dropoutBackwardCost(n));
        }
    }
}

} // namespace flopsmith
