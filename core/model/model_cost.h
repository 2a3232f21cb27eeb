// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/cost_tree.h"
#include "core/count/lens.h"
#include "core/model/model.h"
#include "core/model/training_cost.h"

namespace flopsmith {

/// The pass of a workload through a model of width d, in formula numbers.
template <class N>
Pass<N> passOf(const Workload& workload, int dModel, PairsRule pairs, const Numbers<N>& numbers)
{
    const N sequence = workload.phase == Phase::decode ? N(1) : numbers("S", workload.sequence);
    const N context = workload.phase == Phase::decode ? numbers("C", workload.keys()) : sequence;
    return {.numbers = numbers,
            .batch = numbers("B", workload.batch),
            .sequence = sequence,
            .context = context,
            .dModel = numbers("d", dModel),
            .batchValue = workload.batch,
            .dModelValue = dModel,
            .sequenceValue = workload.queryTokens(),
            .contextValue = workload.keys(),
            .pairs = pairs};
}

/// Adds a run of equal blocks as "blocks[i]". Where blocks share their parameters, these stand
/// once, before the group's first block, as "shared_parameters[group]", and the blocks have none.
/// Weights are read once per use: a block is larger than the caches that could keep it.
template <class N>
void addRun(const Model& model, int index, const Pass<N>& pass, CostTree<N>& tree)
{
    using Keep = typename CostTree<N>::Keep;
    const BlockRun& run = model.runs[static_cast<std::size_t>(index)];
    const bool shared = run.block.sharesParameters();
    if (shared && !model.ownsNoParameters(index)) {
        const int first = tree.size();
        const auto group = tree.group("shared_parameters", kNormComponent, run.block.shareGroup);
        addCost(run.block, pass, tree);
        tree.keepOnly(Keep::parameters, first);
    }
    const int first = tree.size();
    const auto group = tree.group(
        "blocks", kNormComponent, model.firstBlock(index), pass.numbers("L", run.repeat, "blocks"));
    addCost(run.block, pass, tree);
    if (shared) {
        tree.keepOnly(Keep::allButParameters, first);
    }
}

/// Adds embedding, blocks[i] (a node per run), final norm, head to the open group.
template <class N>
void addParts(const Model& model, const Pass<N>& pass, CostTree<N>& tree)
{
    {
        const auto group = tree.group("embedding", kEmbeddingComponent);
        addCost(model.embedding, pass, tree);
    }
    for (std::size_t i = 0; i < model.runs.size(); ++i) {
        addRun(model, static_cast<int>(i), pass, tree);
    }
    addNorm("final_norm", model.finalNorm, pass, tree);
    if (model.head.kind != HeadKind::none) {
        const auto group = tree.group("head", kHeadComponent);
        addCost(model.head, model.embedding.vocab, pass, tree);
    }
}

/// Adds the whole model as a tree of its own.
template <class N>
void addCost(const Model& model, const Pass<N>& pass, CostTree<N>& tree)
{
    const auto root = tree.group("model", kNormComponent);
    addParts(model, pass, tree);
}

/// The cost of one forward pass as a tree, or of one training step (see training_cost.h).
template <class N>
CostTree<N> costTree(const Scenario& scenario, PairsRule pairs, const Numbers<N>& numbers)
{
    CostTree<N> tree;
    const Pass<N> pass = passOf(scenario.workload, scenario.model.dModel, pairs, numbers);
    if (scenario.workload.phase == Phase::train) {
        addTrainingCost(scenario, pass, tree);
    } else {
        addCost(scenario.model, pass, tree);
    }
    return tree;
}

/// The exact integers.
CostTree<Count> costTree(const Scenario& scenario, PairsRule pairs = PairsRule::exact);

/// Elements packed at `bits` each, in whole bytes.
Count packedBytes(Count elements, int bits);

/// Weights as stored: packed, and with groups what every begun group stores besides.
Count weightBytes(Count elements, const Precision& precision);

/// Bytes of a traffic at a precision; packed elements round up to whole bytes.
struct TrafficBytes
{
    Count weights = 0;
    Count read = 0;
    Count written = 0;
    Count kvRead = 0;
    Count kvWritten = 0;
    Count gradients = 0; ///< of weights, in the precision of the weights
    Count states = 0; ///< of the optimizer, 32 bits each

    Count total() const
    {
        return weights + read + written + kvRead + kvWritten + gradients + states;
    }
    bool operator==(const TrafficBytes&) const = default;
};

TrafficBytes bytes(const Traffic<Count>& traffic, const Precision& precision);

/// What one sees first of a model.
struct CostSummary
{
    Count flops = 0; ///< under the lens
    Count macs = 0; ///< multiply-add pairs under the lens's pairs rule
    Count parameters = 0; ///< trainable; shared matrices once, buffers not
    Count activeParameters = 0; ///< of them, those that one token uses
    Count fixedParameters = 0; ///< stored but not trained: bases, signs, index lists
    Count weightBytes = 0; ///< of the trainable ones
    /// That a training forward keeps for the backward pass, besides the input of each mixer and FFN.
    Count savedActivationBytes = 0;
    Count kvCacheBytesPerToken = 0;
};

CostSummary summary(const CostTree<Count>& tree, const Scenario& scenario, LensId lens);

/// The counts that are nominal: `fft`, and `cmp` of data-dependent selection. Zero elsewhere.
OpCount<Count> nominalCount(const CostTree<Count>& tree);

/// Paths of operations that the lens prices at nothing although they execute something.
std::vector<std::string> uncounted(const CostTree<Count>& tree, LensId lens);

} // namespace flopsmith
