// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/cost_tree.h"
#include "core/count/lens.h"
#include "core/model/model.h"
#include "core/model/training_cost.h"

namespace flopsmith {

/// The passes through encoder and decoder. Without an encoder its pass is unused and equals the
/// decoder's.
template <class N>
struct ModelPasses
{
    Pass<N> decoder;
    Pass<N> encoder;
    /// False in decode, where the encoder's output is known from the prefill: its parameters count,
    /// its operations do not.
    bool executesEncoder = true;
};

/// A pass of `sequenceValue` tokens that see each other, or of those at the end of a context.
template <class N>
Pass<N> passOf(const Scenario& scenario, PairsRule pairs, const Numbers<N>& numbers)
{
    const Workload& workload = scenario.workload;
    const bool decodes = workload.phase == Phase::decode;
    const int tokens = scenario.queryTokens();
    const N sequence = decodes ? N(1) : numbers("S", tokens);
    const N context = decodes ? numbers("C", scenario.keys()) : sequence;
    Pass<N> pass{.numbers = numbers,
                 .batch = numbers("B", workload.batch),
                 .sequence = sequence,
                 .context = context,
                 .dModel = numbers("d", scenario.model.dModel),
                 .batchValue = workload.batch,
                 .dModelValue = scenario.model.dModel,
                 .sequenceValue = tokens,
                 .contextValue = scenario.keys(),
                 .pairs = pairs,
                 .training = workload.phase == Phase::train};
    if (scenario.model.hasEncoder()) {
        const bool asLong = workload.source == 0 && !decodes;
        pass.sourceValue = scenario.sourceTokens();
        pass.source = asLong ? sequence : numbers("S_src", pass.sourceValue);
    }
    return pass;
}

/// The passes of a scenario through its model, in formula numbers.
template <class N>
ModelPasses<N> passesOf(const Scenario& scenario, PairsRule pairs, const Numbers<N>& numbers)
{
    const Pass<N> decoder = passOf(scenario, pairs, numbers);
    Pass<N> encoder = decoder;
    if (scenario.model.hasEncoder()) {
        encoder.sequence = encoder.context = decoder.source;
        encoder.sequenceValue = encoder.contextValue = decoder.sourceValue;
    }
    return {decoder, encoder, scenario.workload.phase != Phase::decode};
}

/// Adds a run of equal blocks as "blocks[firstBlock]". Shared parameters are counted once, before
/// the group's first block, as "shared_parameters[group]", and the blocks have none. Weights are
/// read once per use, because a block exceeds the caches.
template <class N>
void addRun(const Model& model, int index, int firstBlock, const Pass<N>& pass, CostTree<N>& tree)
{
    const BlockRun& run = model.runs[static_cast<std::size_t>(index)];
    const bool shared = run.block.sharesParameters();
    if (shared && !model.ownsNoParameters(index)) {
        const int first = tree.size();
        const auto group = tree.group(
            "shared_parameters", kNormComponent, run.block.shareGroup, N(1), ModelPlace::stored);
        addCost(run.block, pass, tree);
        tree.keepOnly(CostTree<N>::Keep::parameters, first);
    }
    const int first = tree.size();
    const auto group =
        tree.group("blocks", kNormComponent, firstBlock, pass.numbers("L", run.repeat, "blocks"));
    addCost(run.block, pass, tree);
    if (shared) {
        tree.keepOnly(CostTree<N>::Keep::allButParameters, first);
    }
}

/// Adds the runs of one half.
template <class N>
void addRuns(const Model& model, Stack half, const Pass<N>& pass, CostTree<N>& tree)
{
    int firstBlock = 0;
    for (std::size_t i = 0; i < model.runs.size(); ++i) {
        if (model.runs[i].block.stack == half) {
            addRun(model, static_cast<int>(i), firstBlock, pass, tree);
        }
        firstBlock += model.runs[i].repeat;
    }
}

/// Adds "embedding" and, after an encoder, "decoder_embedding": look-ups in the same tables for the
/// decoder's tokens. Parameters are counted with the first.
template <class N>
void addEmbedding(const Model& model, std::string_view name, const Pass<N>& pass, CostTree<N>& tree)
{
    const auto group = tree.group(name, kEmbeddingComponent, -1, N(1), ModelPlace::embedding);
    addCost(model.embedding, pass, tree);
}

/// The encoder: embedding of the source's tokens, its blocks, its norm. Then the decoder's
/// embedding.
template <class N>
void addEncoder(const Model& model, const ModelPasses<N>& passes, CostTree<N>& tree)
{
    const int first = tree.size();
    addEmbedding(model, "embedding", passes.encoder, tree);
    addRuns(model, Stack::encoder, passes.encoder, tree);
    addNorm("encoder_norm", model.encoderNorm, passes.encoder, tree);
    if (!passes.executesEncoder) {
        tree.keepOnly(CostTree<N>::Keep::parameters, first);
    }
    const int second = tree.size();
    addEmbedding(model, "decoder_embedding", passes.decoder, tree);
    tree.keepOnly(CostTree<N>::Keep::allButParameters, second);
}

/// Adds to the open group: embedding, blocks[i] (a node per run), final norm, head and perhaps a
/// pooler; in an encoder-decoder the encoder first (see addEncoder()).
template <class N>
void addParts(const Model& model, const ModelPasses<N>& passes, CostTree<N>& tree)
{
    if (model.hasEncoder()) {
        addEncoder(model, passes, tree);
    } else {
        addEmbedding(model, "embedding", passes.decoder, tree);
    }
    addRuns(model, Stack::decoder, passes.decoder, tree);
    addNorm("final_norm", model.finalNorm, passes.decoder, tree);
    if (model.head.kind != HeadKind::none) {
        const auto group = tree.group("head", kHeadComponent, -1, N(1), ModelPlace::head);
        addCost(model.head, model.tokenTable(), passes.decoder, tree);
    }
    addUnreadPooler(model.head, passes.decoder, tree);
}

/// Adds the whole model as a tree of its own.
template <class N>
void addCost(const Model& model, const ModelPasses<N>& passes, CostTree<N>& tree)
{
    const auto root = tree.group("model", kNormComponent);
    addParts(model, passes, tree);
}

/// The cost of one forward pass as a tree, or of one training step (see training_cost.h).
template <class N>
CostTree<N> costTree(const Scenario& scenario, PairsRule pairs, const Numbers<N>& numbers)
{
    CostTree<N> tree;
    const ModelPasses<N> passes = passesOf(scenario, pairs, numbers);
    if (scenario.workload.phase == Phase::train) {
        addTrainingCost(scenario, passes, tree);
    } else {
        addCost(scenario.model, passes, tree);
    }
    return tree;
}

/// The exact integers.
CostTree<Count> costTree(const Scenario& scenario, PairsRule pairs = PairsRule::exact);

/// Elements packed at `bits` each, in whole bytes.
Count packedBytes(Count elements, int bits);

/// Stored weights: packed, plus the scale and zero point of every (also partial) group.
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

/// Bytes that one decoder token appends to the KV caches of all blocks.
Count kvCacheBytesPerToken(const Scenario& scenario);

/// The counts that are nominal: `fft`, and `cmp` of data-dependent selection. Zero elsewhere.
OpCount<Count> nominalCount(const CostTree<Count>& tree);

} // namespace flopsmith
