// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/count/by_component.h"
#include "core/count/cost_tree.h"
#include "core/model/model_passes.h"

// What a training step saves for its backward pass, in numbers or in letters.
namespace flopsmith {

/// Amounts of a part's operations by component.
template <class N, class AmountOf>
ByComponent<N> collected(const CostTree<N>& tree, int part, AmountOf amountOf)
{
    ByComponent<N> elements;
    tree.forEachOperation(part, [&](const auto& operation, const N& times) {
        elements.add(*operation.component, times * amountOf(operation.cost));
    });
    return elements;
}

template <class N>
void addAll(const ByComponent<N>& added, ByComponent<N>& sum)
{
    for (const auto& entry : added.entries()) {
        sum.add(*entry.component, entry.amount);
    }
}

/// The inputs of the mixers and the FFN of so many equal blocks, [T, d] each; parallel branches after
/// one norm share one.
template <class N>
void addInputs(const Block& block, const Pass<N>& pass, const N& blocks, ByComponent<N>& saved)
{
    const N size = blocks * pass.tokens() * pass.dModel;
    if (block.hasMixer()) {
        saved.add(*info(block.mixer).component, size);
    }
    if (block.hasCross()) {
        saved.add(*info(block.cross).component, size);
    }
    if (block.hasFfn() && !(block.isParallel() && block.oneNorm)) {
        saved.add(*info(block.ffn).component, size);
    }
}

/// What one block saves without checkpointing.
template <class N>
ByComponent<N> savedByBlock(const Block& block, const Pass<N>& pass)
{
    CostTree<N> tree;
    {
        const auto group = tree.group("block", kNormComponent);
        addCost(block, pass, tree);
    }
    ByComponent<N> saved = collected(tree, 0, [](const auto& cost) { return cost.saved; });
    addInputs(block, pass, N(1), saved);
    return saved;
}

/// The block that saves most. Letters have no order, so that numbers decide.
const Block* largestBlock(const Scenario& scenario);

/// The elements that full checkpointing saves: every block's input, and the activations of the
/// largest block while it runs again.
template <class N>
void addCheckpoints(const Scenario& scenario, const ModelPasses<N>& passes, ByComponent<N>& saved)
{
    for (const BlockRun& run : scenario.model.runs) {
        const Pass<N>& pass = passOf(run.block, passes);
        const N blocks = pass.numbers("L", run.repeat, "blocks");
        saved.add(kNormComponent, blocks * pass.tokens() * pass.dModel);
    }
    if (const Block* largest = largestBlock(scenario)) {
        addAll(savedByBlock(*largest, passOf(*largest, passes)), saved);
    }
}

/// The elements that a training step saves, by component; see memory(). `tree` is the scenario's with
/// PairsRule::full, made with the same numbers.
template <class N>
ByComponent<N> savedActivations(const Scenario& scenario,
                                const CostTree<N>& tree,
                                const Numbers<N>& numbers)
{
    constexpr int kForward = 1; // the first part of a training step's tree
    const Model& model = scenario.model;
    const ModelPasses<N> passes = passesOf(scenario, PairsRule::full, numbers);
    ByComponent<N> saved = collected(tree, kForward, [](const auto& cost) { return cost.saved; });
    if (scenario.workload.checkpointing == Checkpointing::full) {
        addCheckpoints(scenario, passes, saved);
    } else {
        for (const BlockRun& run : model.runs) {
            addInputs(
                run.block, passOf(run.block, passes), numbers("L", run.repeat, "blocks"), saved);
        }
    }
    if (model.hasEncoder()) { // its output, once for all blocks that read it
        saved.add(kNormComponent, passes.encoder.tokens() * passes.encoder.dModel);
    }
    if (model.head.kind != HeadKind::none) {
        const N rows = model.head.isOfEveryToken() ? passes.decoder.tokens() : passes.decoder.batch;
        saved.add(kHeadComponent, rows * passes.decoder.dModel);
    }
    return saved;
}

} // namespace flopsmith
