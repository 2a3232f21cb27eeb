// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/count/cost_tree.h"
#include "core/layer/activation_cost.h"
#include "core/layer/embedding_cost.h"
#include "core/layer/head.h"
#include "core/layer/linear_cost.h"
#include "core/layer/norm_cost.h"

namespace flopsmith {

/// Input width of an LM head's matrix, as formulas have it.
template <class N>
N logitWidth(const Head& head, const TokenTable& table, const Pass<N>& pass)
{
    return head.transform || head.projection ? tableWidthOf(table.width, pass) : pass.dModel;
}

/// Per token, with w the width of the matrix: transform linear d → w, activation, norm of w; or
/// projection linear d → w; scale w mul; logits linear w → V; cap 2 mul and 1 exp per logit.
/// Saved for the backward pass: the input of the logits unless it is the head's own input, and the
/// tanh of capped logits.
template <class N>
void addLmCost(const Head& head, const TokenTable& table, const Pass<N>& pass, CostTree<N>& tree)
{
    const N t = pass.tokens();
    const N v = pass.numbers(table.symbol, table.vocab);
    const N w = logitWidth(head, table, pass);
    const N wide = t * w;
    if (head.transform) {
        tree.operation("transform",
                       OpKind::linear,
                       wide,
                       linearCost(t, pass.dModel, w, biasIf(head.transformBias)));
        if (head.activation != Activation::none) {
            tree.operation("transform_activation",
                           OpKind::activation,
                           wide,
                           activationCost(head.activation, wide));
        }
        addNorm("transform_norm", head.norm, t, w, tree);
    } else if (head.projection) {
        tree.operation(
            "projection", OpKind::linear, wide, linearCost(t, pass.dModel, w, Bias::absent));
    }
    if (head.scale) {
        tree.operation("scale",
                       OpKind::elementwise,
                       wide,
                       {.count = {.mul = wide}, .traffic = {.read = wide, .written = wide}});
    }
    Cost<N> logits = linearCost(t, w, v, biasIf(head.bias));
    if (head.tied) {
        logits.parameters = ParameterCount<N>::ofVectors(head.bias ? v : N(0));
    }
    if (head.transform || head.projection || head.scale) {
        logits.saved = wide;
    }
    tree.operation("logits", OpKind::linear, N(t * v), logits);
    if (head.capsLogits()) {
        const N n = t * v;
        tree.operation("soft_cap",
                       OpKind::activation,
                       n,
                       {.count = {.mul = N(2) * n, .exp = n},
                        .traffic = {.read = n, .written = n},
                        .saved = n});
    }
}

/// Linear d → d and tanh of the first token of each sequence, which keeps `saved` elements.
template <class N>
void addPoolerCost(const Pass<N>& pass, const N& saved, CostTree<N>& tree)
{
    const N d = pass.dModel;
    const N n = pass.batch * d;
    tree.operation("dense", OpKind::linear, n, linearCost(pass.batch, d, d, Bias::present));
    tree.operation("tanh",
                   OpKind::activation,
                   n,
                   {.count = {.exp = n}, .traffic = {.read = n, .written = n}, .saved = saved});
}

/// Adds the head to the tree: see addLmCost(); or, for the first token of each sequence, linear d →
/// d and tanh, and linear d → classes. The pooler saves the output of its tanh for the backward
/// pass.
template <class N>
void addCost(const Head& head, const TokenTable& table, const Pass<N>& pass, CostTree<N>& tree)
{
    const N d = pass.dModel;
    if (head.isOfEveryToken()) {
        addLmCost(head.computed(), table, pass, tree);
    }
    if (head.hasPooler()) {
        addPoolerCost(pass, N(pass.batch * d), tree);
    }
    if (head.kind == HeadKind::classifier) {
        const N classes = pass.numbers("N_cls", head.classes);
        tree.operation("classes",
                       OpKind::linear,
                       N(pass.batch * classes),
                       linearCost(pass.batch, d, classes, biasIf(head.bias)));
    }
}

/// "pooler" beside the LM head, if there is one: saves nothing, because it has no gradients.
template <class N>
void addUnreadPooler(const Head& head, const Pass<N>& pass, CostTree<N>& tree)
{
    if (head.hasUnreadPooler()) {
        const auto group = tree.group("pooler", kHeadComponent, -1, N(1), ModelPlace::head);
        addPoolerCost(pass, N(0), tree);
    }
}

/// Backward of the parts of addLmCost(). Capped logits: dy·(1 − tanh²), 2 mul and 1 add each. A
/// tied matrix gets its gradient here, and the embedding adds its rows to the same.
template <class N>
void addLmBackward(const Head& head,
                   const TokenTable& table,
                   const Pass<N>& pass,
                   CostTree<N>& tree)
{
    const N t = pass.tokens();
    const N v = pass.numbers(table.symbol, table.vocab);
    const N w = logitWidth(head, table, pass);
    const N wide = t * w;
    if (head.transform) {
        tree.operation("transform",
                       OpKind::linear,
                       N(t * pass.dModel),
                       linearBackwardCost(t, pass.dModel, w, biasIf(head.transformBias)));
        if (head.activation != Activation::none) {
            tree.operation("transform_activation",
                           OpKind::activation,
                           wide,
                           activationBackwardCost(head.activation, wide));
        }
        addNormBackward("transform_norm", head.norm, t, w, tree);
    } else if (head.projection) {
        tree.operation("projection",
                       OpKind::linear,
                       N(t * pass.dModel),
                       linearBackwardCost(t, pass.dModel, w, Bias::absent));
    }
    if (head.scale) {
        tree.operation("scale",
                       OpKind::elementwise,
                       wide,
                       {.count = {.mul = wide}, .traffic = {.read = wide, .written = wide}});
    }
    tree.operation("logits", OpKind::linear, wide, linearBackwardCost(t, w, v, biasIf(head.bias)));
    if (head.capsLogits()) {
        const N n = t * v;
        tree.operation(
            "soft_cap",
            OpKind::activation,
            n,
            {.count = {.mul = N(2) * n, .add = n}, .traffic = {.read = N(2) * n, .written = n}});
    }
}

/// Backward of the linear layers; tanh: dy·(1 − y²), 2 mul and 1 add each. Where a head reads the
/// first token alone, dx is zero at all others.
template <class N>
void addBackwardCost(const Head& head,
                     const TokenTable& table,
                     const Pass<N>& pass,
                     CostTree<N>& tree)
{
    const N d = pass.dModel;
    if (head.isOfEveryToken()) {
        addLmBackward(head.computed(), table, pass, tree);
    }
    if (head.hasPooler()) {
        const N n = pass.batch * d;
        tree.operation(
            "dense", OpKind::linear, n, linearBackwardCost(pass.batch, d, d, Bias::present));
        tree.operation(
            "tanh",
            OpKind::activation,
            n,
            {.count = {.mul = N(2) * n, .add = n}, .traffic = {.read = N(2) * n, .written = n}});
    }
    if (head.kind == HeadKind::classifier) {
        const N classes = pass.numbers("N_cls", head.classes);
        tree.operation("classes",
                       OpKind::linear,
                       N(pass.batch * d),
                       linearBackwardCost(pass.batch, d, classes, biasIf(head.bias)));
    }
}

} // namespace flopsmith
