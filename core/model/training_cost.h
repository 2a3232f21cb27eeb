// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/cost_tree.h"
#include "core/layer/loss_cost.h"
#include "core/layer/optimizer_cost.h"
#include "core/model/backward_cost.h"
#include "core/model/checkpointing_cost.h"
#include "core/model/forward_cost.h"
#include "core/model/model.h"
#include "core/model/training_step.h"

// A training step: forward pass, recomputation by checkpointing, backward pass, optimizer.
namespace flopsmith {

/// "loss", where there is one: cross-entropy of every token over the vocabulary or its classes, or of
/// every sequence over a classifier's classes.
enum class LossPass { forward, backward };
template <class N>
void addLoss(const Model& model, LossPass which, const Pass<N>& pass, CostTree<N>& tree)
{
    if (hasLoss(model)) {
        const N rows = model.head.isOfEveryToken() ? pass.tokens() : pass.batch;
        const N classes = model.head.isLm() ? pass.numbers("V", model.embedding.vocab)
                                            : pass.numbers("N_cls", model.head.classes);
        tree.operation("loss",
                       OpKind::elementwise,
                       rows * classes,
                       which == LossPass::forward ? crossEntropyCost(rows, classes)
                                                  : crossEntropyBackwardCost(rows, classes),
                       &kHeadComponent);
    }
}

/// Adds "forward", with the activations that checkpointing saves.
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

/// A whole training step of B·S tokens: "forward" with the loss, "recomputed" under checkpointing,
/// "backward", and "optimizer", the update of every trainable parameter. Only "forward" has
/// parameters.
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
