// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/cost_tree.h"
#include "core/model/backward_cost.h"
#include "core/model/model.h"
#include "core/model/training_step.h"

#include <cstddef>
#include <vector>

// Saved activations and recomputation under checkpointing.
namespace flopsmith {

/// The nodes of a mixer from scores to weighted sum, which selective checkpointing recomputes. May
/// be empty.
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

/// Marks the operations below a block's node whose activations are recomputed instead of saved.
/// With selective checkpointing these are the operations between scores and weighted sum, which
/// themselves save the operands of the recomputation.
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
        for (const MixerSpec& mixer : {block.activeMixer(), block.activeCross()}) {
            if (writesScores(mixer) && tree.node(i).name == info(mixer).id) {
                const NodeRange core = attentionCore(tree, i);
                mark(core.first + 1, core.end - 1);
            }
        }
    }
}

/// Clears the saved activations that checkpointing drops, in parts added from node `first` on.
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

/// Counts KV cache traffic as activation traffic: a training step has no cache.
template <class N>
void countCacheAsActivations(Traffic<N>& traffic)
{
    traffic.read += traffic.kvRead;
    traffic.written += traffic.kvWritten;
    traffic.kvRead = N(0);
    traffic.kvWritten = N(0);
}

/// Adds the mixer's attention core if it materialises its scores.
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

/// Adds "recomputed": forward operations that checkpointing repeats. full: all of each block;
/// selective: scores, softmax and weighted sum of attention that materialises its scores
/// (Korthikanti et al. 2022).
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
                    addScoresAgain(block.activeMixer(), pass, tree);
                    addScoresAgain(block.activeCross(), pass, tree);
                }
            });
    }
    tree.changeFrom(first, [](auto& node) {
        countCacheAsActivations(node.cost.traffic);
        node.cost.parameters = {};
        node.cost.saved = N(0);
    });
}

} // namespace flopsmith
