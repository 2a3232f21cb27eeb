// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/cost_tree.h"
#include "core/layer/loss.h"
#include "core/layer/optimizer.h"
#include "core/model/model.h"

#include <string_view>

// A training step: forward pass, what checkpointing computes again, backward pass, optimizer. Built
// of the same pieces as the forward pass (core/model/model_cost.h, which includes this header).
namespace flopsmith {

/// The operations of one forward pass: embedding, blocks, final norm, head (model_cost.h).
template <class N>
void addParts(const Model& model, const Pass<N>& pass, CostTree<N>& tree);

/// Whether the mixer writes a matrix of scores that selective checkpointing would compute again.
/// Flash attention writes none: its backward pass computes scores again anyway, and counts them.
bool writesScores(const MixerSpec& mixer);

/// Whether the loss of the model can be counted: cross-entropy over an LM head's logits.
inline bool hasLoss(const Model& model)
{
    return model.head.kind == HeadKind::lm;
}

/// norm and residual around a backward pass, in the order of the forward pass.
template <class N, class AddInner>
void addSublayerBackward(const Block& block,
                         std::string_view normName,
                         std::string_view residualName,
                         const Pass<N>& pass,
                         CostTree<N>& tree,
                         AddInner addInner)
{
    if (block.placement == NormPlacement::pre) {
        addNormBackward(normName, block.norm, pass, tree);
    }
    addInner();
    addResidual(residualName, pass, tree); // costs the same backward
    if (block.placement == NormPlacement::post) {
        addNormBackward(normName, block.norm, pass, tree);
    }
}

/// The backward pass of a block's parts, in the order and under the names of the forward pass.
template <class N>
void addBackwardCost(const Block& block, const Pass<N>& pass, CostTree<N>& tree)
{
    if (block.hasMixer()) {
        addSublayerBackward(block, "mixer_norm", "mixer_residual", pass, tree, [&] {
            const VariantInfo& mixer = info(block.mixer);
            const auto group = tree.group(mixer.id, *mixer.component);
            addBackwardCost(block.mixer, pass, tree);
        });
    }
    if (block.hasFfn()) {
        addSublayerBackward(block, "ffn_norm", "ffn_residual", pass, tree, [&] {
            const auto group = tree.group("ffn", *info(block.ffn).component);
            addBackwardCost(block.ffn, pass, tree);
        });
    }
}

/// Opens "blocks[i]" for every run and lets `addBlock` fill it.
template <class N, class AddBlock>
void forEachRun(const Model& model, const Pass<N>& pass, CostTree<N>& tree, AddBlock addBlock)
{
    for (std::size_t i = 0; i < model.runs.size(); ++i) {
        const BlockRun& run = model.runs[i];
        const auto group = tree.group("blocks",
                                      kNormComponent,
                                      model.firstBlock(static_cast<int>(i)),
                                      pass.numbers("L", run.repeat, "blocks"));
        addBlock(run.block);
    }
}

/// Of each share group, "shared_gradients[group]": every use of the shared parameters has a
/// gradient of its own, and all but the first are added to it: (uses − 1)·P additions.
template <class N>
void addSharedGradients(const Model& model, const Pass<N>& pass, CostTree<N>& tree)
{
    for (std::size_t i = 0; i < model.runs.size(); ++i) {
        const Block& block = model.runs[i].block;
        if (!block.sharesParameters() || model.ownsNoParameters(static_cast<int>(i))) {
            continue;
        }
        N uses{0};
        for (const BlockRun& run : model.runs) {
            if (run.block.shareGroup == block.shareGroup) {
                uses += pass.numbers("L", run.repeat, "blocks");
            }
        }
        CostTree<N> alone;
        {
            const auto group = alone.group("block", kNormComponent);
            addCost(block, pass, alone);
        }
        const N n = (uses - N(1)) * alone.total().parameters.trainable;
        const auto group = tree.group("shared_gradients", kNormComponent, block.shareGroup);
        tree.operation("sum",
                       OpKind::elementwise,
                       n,
                       {.count = {.add = n}, .traffic = {.gradients = N(3) * n}});
    }
}

/// The embedding's backward. A tied table already has the head's gradient, so that only the rows of
/// this step's tokens are read and written again, not the whole.
template <class N>
void addEmbeddingBackward(const Model& model, const Pass<N>& pass, CostTree<N>& tree)
{
    const auto group = tree.group("embedding", kEmbeddingComponent);
    const int first = tree.size();
    addBackwardCost(model.embedding, pass, tree);
    if (model.head.kind == HeadKind::lm && model.head.tied) {
        tree.changeFrom(first, [](auto& node) {
            if (node.name == "tokens") {
                node.cost.traffic.gradients = N(2) * node.elements;
            }
        });
    }
}

/// The backward pass of the whole model, in the order and under the names of the forward pass.
template <class N>
void addBackwardParts(const Model& model, const Pass<N>& pass, CostTree<N>& tree)
{
    addEmbeddingBackward(model, pass, tree);
    forEachRun(model, pass, tree, [&](const Block& block) { addBackwardCost(block, pass, tree); });
    addSharedGradients(model, pass, tree);
    addNormBackward("final_norm", model.finalNorm, pass, tree);
    if (model.head.kind != HeadKind::none) {
        const auto group = tree.group("head", kHeadComponent);
        addBackwardCost(model.head, model.embedding.vocab, pass, tree);
    }
}

/// "loss", where there is one: cross-entropy of every token over the vocabulary.
enum class Direction { forward, backward };
template <class N>
void addLoss(const Model& model, Direction direction, const Pass<N>& pass, CostTree<N>& tree)
{
    if (hasLoss(model)) {
        const N rows = pass.tokens();
        const N classes = pass.numbers("V", model.embedding.vocab);
        tree.operation("loss",
                       OpKind::elementwise,
                       rows * classes,
                       direction == Direction::forward ? crossEntropyCost(rows, classes)
                                                       : crossEntropyBackwardCost(rows, classes),
                       &kHeadComponent);
    }
}

/// Whether checkpointing drops what the forward pass of this operation would keep.
inline bool isDropped(OpKind kind, Checkpointing checkpointing)
{
    return checkpointing == Checkpointing::full
        || (checkpointing == Checkpointing::selective && kind == OpKind::softmax);
}

/// The operations of an attention core: what selective checkpointing computes again.
inline bool isAttentionCore(OpKind kind)
{
    return kind == OpKind::scores || kind == OpKind::softmax || kind == OpKind::weightedSum;
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
void addTrainingForward(const Scenario& scenario, const Pass<N>& pass, CostTree<N>& tree)
{
    const Checkpointing checkpointing = scenario.workload.checkpointing;
    const auto group = tree.group("forward", kNormComponent);
    const int first = tree.size();
    addParts(scenario.model, pass, tree);
    bool inBlock = false;
    tree.changeFrom(first, [&](auto& node) {
        countCacheAsActivations(node.cost.traffic);
        inBlock = node.parent == first - 1 ? node.name == "blocks" : inBlock;
        if (inBlock && isDropped(node.kind, checkpointing)) {
            node.cost.saved = N(0);
        }
    });
    addLoss(scenario.model, Direction::forward, pass, tree);
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
    for (const auto& node : whole.nodes()) {
        if (isAttentionCore(node.kind)) {
            tree.operation(node.name, node.kind, node.elements, node.cost, node.component);
        }
    }
}

/// Whether checkpointing has anything to compute again.
bool recomputes(const Scenario& scenario);

/// "recomputed": the forward work that checkpointing does twice. full: all of each block;
/// selective: scores, softmax and weighted sum of attention that writes its scores (Korthikanti et
/// al. 2022).
template <class N>
void addRecomputed(const Scenario& scenario, const Pass<N>& pass, CostTree<N>& tree)
{
    if (!recomputes(scenario)) {
        return;
    }
    const bool full = scenario.workload.checkpointing == Checkpointing::full;
    const auto group = tree.group("recomputed", kNormComponent);
    const int first = tree.size();
    forEachRun(scenario.model, pass, tree, [&](const Block& block) {
        full ? addCost(block, pass, tree) : addScoresAgain(block.mixer, pass, tree);
    });
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
void addTrainingCost(const Scenario& scenario, const Pass<N>& pass, CostTree<N>& tree)
{
    const auto root = tree.group("model", kNormComponent);
    addTrainingForward(scenario, pass, tree);
    const N parameters = tree.total(1).parameters.trainable;
    addRecomputed(scenario, pass, tree);
    {
        const auto group = tree.group("backward", kNormComponent);
        addBackwardParts(scenario.model, pass, tree);
        addLoss(scenario.model, Direction::backward, pass, tree);
    }
    tree.operation("optimizer",
                   OpKind::elementwise,
                   parameters,
                   optimizerCost(scenario.workload.optimizer, parameters),
                   &kOptimizerComponent);
}

} // namespace flopsmith
