// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/cost_tree.h"
#include "core/layer/loss.h"
#include "core/layer/optimizer.h"
#include "core/model/model.h"

#include <algorithm>
#include <string_view>
#include <vector>

// A training step: forward pass, what checkpointing computes again, backward pass, optimizer. Built
// of the same pieces as the forward pass (core/model/model_cost.h, which includes this header).
namespace flopsmith {

// Both from model_cost.h: what goes through the halves of a model, and the operations of one
// forward pass (embedding, blocks, final norm, head).
template <class N>
struct ModelPasses;
template <class N>
void addParts(const Model& model, const ModelPasses<N>& passes, CostTree<N>& tree);

/// Whether the mixer writes a matrix of scores that selective checkpointing would compute again.
/// Flash attention writes none: its backward pass computes scores again anyway, and counts them.
bool writesScores(const MixerSpec& mixer);

/// Whether the model has a loss that can be counted: cross-entropy over logits.
inline bool hasLoss(const Model& model)
{
    return model.head.isLm() || model.head.kind == HeadKind::classifier;
}

/// The backward pass of a block's parts, in the order and under the names of the forward pass. A
/// residual addition costs the same both ways.
template <class N>
void addBackwardCost(const Block& block, const Pass<N>& pass, CostTree<N>& tree)
{
    const auto addMixer = [&](const MixerSpec& mixer) {
        const auto group = tree.group(info(mixer).id, *info(mixer).component);
        addBackwardCost(mixer, pass, tree);
    };
    forEachPart(block, [&](const BlockPart& part) {
        switch (part.kind) {
        case BlockPart::Kind::norm: addNormBackward(part.name, block.norm, pass, tree); break;
        case BlockPart::Kind::mixer: addMixer(block.mixer); break;
        case BlockPart::Kind::cross: addMixer(block.cross); break;
        case BlockPart::Kind::ffn: {
            const auto group = tree.group("ffn", *info(block.ffn).component);
            addBackwardCost(block.ffn, pass, tree);
            break;
        }
        case BlockPart::Kind::residual: addResidual(part.name, pass, tree, part.residual); break;
        }
    });
}

/// The pass of the half that the block belongs to.
template <class N>
const Pass<N>& passOf(const Block& block, const ModelPasses<N>& passes)
{
    return block.isEncoder() ? passes.encoder : passes.decoder;
}

/// Opens "blocks[i]" for every run of one half and lets addBlock(block, pass) fill it.
template <class N, class AddBlock>
void forEachRun(const Model& model,
                Stack half,
                const ModelPasses<N>& passes,
                CostTree<N>& tree,
                AddBlock addBlock)
{
    for (std::size_t i = 0; i < model.runs.size(); ++i) {
        const BlockRun& run = model.runs[i];
        if (run.block.stack != half) {
            continue;
        }
        const Pass<N>& pass = passOf(run.block, passes);
        const auto group = tree.group("blocks",
                                      kNormComponent,
                                      model.firstBlock(static_cast<int>(i)),
                                      pass.numbers("L", run.repeat, "blocks"));
        addBlock(run.block, pass);
    }
}

/// Blocks of the runs that `counts` is true of.
template <class N, class Counts>
N blocksThat(const Model& model, const Pass<N>& pass, Counts counts)
{
    N sum{0};
    for (const BlockRun& run : model.runs) {
        if (counts(run.block)) {
            sum += pass.numbers("L", run.repeat, "blocks");
        }
    }
    return sum;
}

/// Adding n gradients to others: both are read, the sum is written.
template <class N>
Cost<N> addedGradients(const N& n)
{
    return {.count = {.add = n}, .traffic = {.gradients = N(3) * n}};
}

/// Of each share group, "shared_gradients[group]": every use of the shared parameters has a
/// gradient of its own, and all but the first are added to it: (uses − 1)·P additions.
template <class N>
void addSharedGradients(const Model& model, const ModelPasses<N>& passes, CostTree<N>& tree)
{
    for (std::size_t i = 0; i < model.runs.size(); ++i) {
        const Block& block = model.runs[i].block;
        if (!block.sharesParameters() || model.ownsNoParameters(static_cast<int>(i))) {
            continue;
        }
        const Pass<N>& pass = passOf(block, passes);
        const N uses = blocksThat(
            model, pass, [&](const Block& other) { return other.shareGroup == block.shareGroup; });
        CostTree<N> alone;
        {
            const auto group = alone.group("block", kNormComponent);
            addCost(block, pass, alone);
        }
        const N n = (uses - N(1)) * alone.total().parameters.trainable;
        const auto group = tree.group("shared_gradients", kNormComponent, block.shareGroup);
        tree.operation("sum", OpKind::elementwise, n, addedGradients(n));
    }
}

/// The gradient of the encoder's output: one from every block that looks at it, all but the first
/// added to it.
template <class N>
void addSourceGradients(const Model& model, const ModelPasses<N>& passes, CostTree<N>& tree)
{
    const auto looks = [](const Block& block) { return block.hasCross(); };
    if (std::none_of(model.runs.begin(), model.runs.end(), [&](const BlockRun& run) {
            return looks(run.block);
        })) {
        return;
    }
    const N uses = blocksThat(model, passes.decoder, looks);
    const N n = (uses - N(1)) * passes.encoder.tokens() * passes.encoder.dModel;
    tree.operation("source_gradients",
                   OpKind::elementwise,
                   n,
                   {.count = {.add = n}, .traffic = {.read = N(2) * n, .written = n}},
                   &kNormComponent);
}

/// An embedding's backward. Where a table already has a gradient (from a tied head, or from the
/// encoder's embedding), only the rows of these tokens are read and written again, not the whole;
/// the norm's and the projection's second gradients are added to the first as "shared_gradients".
enum class Gradients { first, tableIsThere, allAreThere };
template <class N>
void addEmbeddingBackward(const Model& model,
                          std::string_view name,
                          Gradients there,
                          const Pass<N>& pass,
                          CostTree<N>& tree)
{
    const auto group = tree.group(name, kEmbeddingComponent);
    const int first = tree.size();
    addBackwardCost(model.embedding, pass, tree);
    N others{0};
    tree.changeFrom(first, [&](auto& node) {
        N& gradients = node.cost.traffic.gradients;
        const bool isThere = there == Gradients::allAreThere
            || (there == Gradients::tableIsThere && node.name == "tokens");
        if (node.kind != OpKind::lookup) {
            others += gradients;
        } else if (isThere) {
            gradients = N(2) * node.elements;
        }
    });
    const Embedding& embedding = model.embedding;
    if (there == Gradients::allAreThere
        && (embedding.norm.kind != NormKind::none || embedding.projects())) {
        tree.operation("shared_gradients", OpKind::elementwise, others, addedGradients(others));
    }
}

/// The encoder's backward, and that of the decoder's embedding.
template <class N>
void addEncoderBackward(const Model& model,
                        Gradients ofTable,
                        const ModelPasses<N>& passes,
                        CostTree<N>& tree)
{
    addEmbeddingBackward(model, "embedding", ofTable, passes.encoder, tree);
    forEachRun(model, Stack::encoder, passes, tree, [&](const Block& block, const Pass<N>& pass) {
        addBackwardCost(block, pass, tree);
    });
    addNormBackward("encoder_norm", model.encoderNorm, passes.encoder, tree);
    addSourceGradients(model, passes, tree);
    addEmbeddingBackward(model, "decoder_embedding", Gradients::allAreThere, passes.decoder, tree);
}

/// The backward pass of the whole model, in the order and under the names of the forward pass.
template <class N>
void addBackwardParts(const Model& model, const ModelPasses<N>& passes, CostTree<N>& tree)
{
    const bool tied = model.head.isLm() && model.head.tied;
    const Gradients ofTable = tied ? Gradients::tableIsThere : Gradients::first;
    if (model.hasEncoder()) {
        addEncoderBackward(model, ofTable, passes, tree);
    } else {
        addEmbeddingBackward(model, "embedding", ofTable, passes.decoder, tree);
    }
    forEachRun(model, Stack::decoder, passes, tree, [&](const Block& block, const Pass<N>& pass) {
        addBackwardCost(block, pass, tree);
    });
    addSharedGradients(model, passes, tree);
    addNormBackward("final_norm", model.finalNorm, passes.decoder, tree);
    if (model.head.kind != HeadKind::none) {
        const auto group = tree.group("head", kHeadComponent);
        addBackwardCost(model.head, model.tokenTable(), passes.decoder, tree);
    }
}

/// "loss", where there is one: cross-entropy of every token over the vocabulary, or of every
/// sequence over a classifier's classes.
enum class LossPass { forward, backward };
template <class N>
void addLoss(const Model& model, LossPass which, const Pass<N>& pass, CostTree<N>& tree)
{
    if (hasLoss(model)) {
        const bool lm = model.head.isLm();
        const N rows = lm ? pass.tokens() : pass.batch;
        const N classes = lm ? pass.numbers("V", model.embedding.vocab)
                             : pass.numbers("N_cls", model.head.classes);
        tree.operation("loss",
                       OpKind::elementwise,
                       rows * classes,
                       which == LossPass::forward ? crossEntropyCost(rows, classes)
                                                  : crossEntropyBackwardCost(rows, classes),
                       &kHeadComponent);
    }
}

/// The nodes of a mixer from its scores to its weighted sum: what selective checkpointing computes
/// again. Empty where there are none.
struct NodeRange
{
    int first = 0;
    int end = 0;
};
template <class N>
NodeRange attentionCore(const CostTree<N>& tree, int mixer)
{
    NodeRange core;
    for (int i = mixer + 1; i < tree.node(mixer).end; ++i) {
        const OpKind kind = tree.node(i).kind;
        if (kind == OpKind::scores && core.end == 0) {
            core = {i, i + 1};
        } else if (kind == OpKind::weightedSum && core.end > 0) {
            core.end = i + 1;
        }
    }
    return core;
}

/// Marks the operations below a block's node that save nothing because checkpointing computes them
/// again. Selectively that is what stands between scores and weighted sum: these two save their
/// operands, which it needs.
template <class N>
void markDropped(const Block& block,
                 Checkpointing checkpointing,
                 const CostTree<N>& tree,
                 int node,
                 std::vector<bool>& dropped)
{
    const auto mark = [&dropped](int first, int end) {
        for (int i = first; i < end; ++i) {
            dropped[static_cast<std::size_t>(i)] = true;
        }
    };
    const int end = tree.node(node).end;
    if (checkpointing == Checkpointing::full) {
        mark(node, end);
        return;
    }
    for (int i = node + 1; i < end; i = tree.node(i).end) {
        for (const MixerSpec& mixer : {block.mixer, block.cross}) {
            if (writesScores(mixer) && tree.node(i).name == info(mixer).id) {
                const NodeRange core = attentionCore(tree, i);
                mark(core.first + 1, core.end - 1);
            }
        }
    }
}

/// Of the parts that were added from node `first` on, leaves out what checkpointing does not keep.
template <class N>
void dropSaved(const Model& model, Checkpointing checkpointing, int first, CostTree<N>& tree)
{
    if (checkpointing == Checkpointing::none) {
        return;
    }
    std::vector<bool> dropped(static_cast<std::size_t>(tree.size()));
    for (int i = first; i < tree.size(); i = tree.node(i).end) {
        if (tree.node(i).name == "blocks") {
            const auto run = static_cast<std::size_t>(model.runOf(tree.node(i).index));
            markDropped(model.runs[run].block, checkpointing, tree, i, dropped);
        }
    }
    auto isDropped = dropped.begin() + first;
    tree.changeFrom(first, [&](auto& node) {
        if (*isDropped++) {
            node.cost.saved = N(0);
        }
    });
}

/// A training step caches nothing: keys and values are activations like others.
template <class N>
void countCacheAsActivations(Traffic<N>& traffic)
{
    traffic.read += traffic.kvRead;
    traffic.written += traffic.kvWritten;
    traffic.kvRead = N(0);
    traffic.kvWritten = N(0);
}

/// "forward", with what checkpointing leaves of the saved activations.
template <class N>
void addTrainingForward(const Scenario& scenario, const ModelPasses<N>& passes, CostTree<N>& tree)
{
    const auto group = tree.group("forward", kNormComponent);
    const int first = tree.size();
    addParts(scenario.model, passes, tree);
    tree.changeFrom(first, [](auto& node) { countCacheAsActivations(node.cost.traffic); });
    dropSaved(scenario.model, scenario.workload.checkpointing, first, tree);
    addLoss(scenario.model, LossPass::forward, passes.decoder, tree);
}

/// The attention core of the mixer, of those that write their scores.
template <class N>
void addScoresAgain(const MixerSpec& mixer, const Pass<N>& pass, CostTree<N>& tree)
{
    if (!writesScores(mixer)) {
        return;
    }
    CostTree<N> whole;
    {
        const auto group = whole.group(info(mixer).id, *info(mixer).component);
        addCost(mixer, pass, whole);
    }
    const auto group = tree.group(info(mixer).id, *info(mixer).component);
    const NodeRange core = attentionCore(whole, 0);
    for (int i = core.first; i < core.end; ++i) {
        const auto& node = whole.node(i);
        tree.operation(node.name, node.kind, node.elements, node.cost, node.component);
    }
}

/// Whether checkpointing has anything to compute again.
bool recomputes(const Scenario& scenario);

/// "recomputed": the forward work that checkpointing does twice. full: all of each block;
/// selective: scores, softmax and weighted sum of attention that writes its scores (Korthikanti et
/// al. 2022).
template <class N>
void addRecomputed(const Scenario& scenario, const ModelPasses<N>& passes, CostTree<N>& tree)
{
    if (!recomputes(scenario)) {
        return;
    }
    const bool full = scenario.workload.checkpointing == Checkpointing::full;
    const auto group = tree.group("recomputed", kNormComponent);
    const int first = tree.size();
    for (const Stack half : {Stack::encoder, Stack::decoder}) {
        forEachRun(
            scenario.model, half, passes, tree, [&](const Block& block, const Pass<N>& pass) {
                if (full) {
                    addCost(block, pass, tree);
                } else {
                    addScoresAgain(block.mixer, pass, tree);
                    addScoresAgain(block.cross, pass, tree);
                }
            });
    }
    tree.changeFrom(first, [](auto& node) {
        countCacheAsActivations(node.cost.traffic);
        node.cost.parameters = {};
        node.cost.saved = N(0);
    });
}

/// A whole training step of B·S tokens: "forward" with the loss, "recomputed" if checkpointing asks
/// for it, "backward", and "optimizer", the update of every trainable parameter. Parameters stand in
/// the forward part alone.
template <class N>
void addTrainingCost(const Scenario& scenario, const ModelPasses<N>& passes, CostTree<N>& tree)
{
    const auto root = tree.group("model", kNormComponent);
    addTrainingForward(scenario, passes, tree);
    const N parameters = tree.total(1).parameters.trainable;
    addRecomputed(scenario, passes, tree);
    {
        const auto group = tree.group("backward", kNormComponent);
        addBackwardParts(scenario.model, passes, tree);
        addLoss(scenario.model, LossPass::backward, passes.decoder, tree);
    }
    tree.operation("optimizer",
                   OpKind::elementwise,
                   parameters,
                   optimizerCost(scenario.workload.optimizer, parameters),
                   &kOptimizerComponent);
}

} // namespace flopsmith
