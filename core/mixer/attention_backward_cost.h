// SPDX-License-Identifier: MIT
#pragma once

#include "core/mixer/attention_cost.h"

namespace flopsmith {

/// Softmax's backward: ds = p ⊙ (dp − Σ p ⊙ dp), 2 mul and 2 add per pair minus 1 add per row.
/// Flash attention takes the sum from dO·O of the row (T·H·h mul, T·H·(h − 1) add), and recomputes
/// p = e^(s − max)/total (1 add, 1 exp, 1 div per pair). The gradient of a head's sink is −Σ
/// e^(sink − max)/total·(that sum) over its rows: 1 add, 1 exp, 1 div, 1 mul per row, and T − 1 add
/// per head.
template <class N>
OpCount<N> softmaxBackwardCount(const Attention& attention, const AttentionSizes<N>& a)
{
    OpCount<N> count;
    if (keepsScores(attention)) {
        count = {.mul = a.pairs.twice, .add = a.pairs.twice - a.rows};
    } else {
        const N elements = a.rows * a.headDim;
        count = {.mul = elements + a.pairs.once(),
                 .add = elements - a.rows + a.pairs.twice,
                 .div = a.pairs.once(),
                 .exp = a.pairs.once()};
    }
    if (attention.sinks) {
        count += {.mul = a.rows, .add = N(2) * a.rows - a.heads, .div = a.rows, .exp = a.rows};
    }
    return count;
}

namespace detail {

template <class N>
void addSoftmaxBackward(const Attention& attention, const AttentionSizes<N>& a, CostTree<N>& tree)
{
    const N sinks = attention.sinks ? a.heads : N(0);
    const N totals = attention.sinks ? N(N(2) * a.rows) : N(0);
    tree.operation("softmax",
                   OpKind::softmax,
                   a.pairs.once(),
                   {.count = softmaxBackwardCount(attention, a),
                    .traffic = {.weights = sinks,
                                .read = keepsScores(attention) ? N(a.pairs.twice + totals)
                                                               : N(N(2) * (a.queries() + a.rows)),
                                .written = spilledScores(attention, a),
                                .gradients = sinks}});
}

/// From the gradients of softmax's input to the gradients of the scores.
template <class N>
void addScoreStepsBackward(const Attention& attention,
                           const Pass<N>& pass,
                           const AttentionSizes<N>& a,
                           CostTree<N>& tree)
{
    const N spilled = spilledScores(attention, a);
    if (attention.hasSoftCap()) {
        OpCount<N> count{.mul = a.pairs.twice, .add = a.pairs.once()};
        if (!keepsScores(attention)) {
            count += {.mul = a.pairs.twice, .exp = a.pairs.once()};
        }
        tree.operation("soft_cap",
                       OpKind::activation,
                       a.pairs.once(),
                       {.count = count, .traffic = {.read = N(2) * spilled, .written = spilled}});
    }
    const N lookups = attention.readsBiasTable() ? a.pairs.once() : N(0);
    OpCount<N> bias{.add = lookups, .move = lookups};
    if (!keepsScores(attention)) {
        bias += {.add = a.pairs.once(), .move = lookups};
    }
    if (attention.readsBiasTable() || (attention.biasesScores() && !keepsScores(attention))) {
        const N table = biasTableSize(attention, pass, a);
        tree.operation("position_bias",
                       OpKind::elementwise,
                       a.pairs.once(),
                       {.count = bias,
                        .traffic = {.weights = keepsScores(attention) ? N(0) : table,
                                    .read = spilled,
                                    .gradients = table}});
    }
}

template <class N>
void addScoresBackward(const Attention& attention, const AttentionSizes<N>& a, CostTree<N>& tree)
{
    const N all = a.queries() + a.keys();
    const N scaled = attention.scaleScores ? a.pairs.once() : N(0);
    Cost<N> scores{.count = {.mac = a.pairs.twice * a.headDim, .dot = all, .mul = scaled},
                   .traffic = {.read = all + spilledScores(attention, a), .written = all}};
    if (!keepsScores(attention)) {
        scores.count += {.mac = a.pairs.products(a.headDim), .dot = a.pairs.once(), .mul = scaled};
    }
    tree.operation("scores", OpKind::scores, all, scores);
}

} // namespace detail

/// Two products for each of the forward pass:
///   weighted_sum     dv = pᵀ·dO, dp = dO·vᵀ: mac 2·H·h·pairs, dot T·G·h + H·pairs
///   softmax          see softmaxBackwardCount()
///   [position_bias]  the gradient of a learned table starts at zeros: 1 add and 1 move per pair and
///                    head, whether the table is the block's own or an earlier one's. Flash adds the
///                    bias again: 1 add per pair, and with a table 1 move
///   [soft_cap]       ds·(1 − tanh²): 2 mul, 1 add per pair; flash computes the tanh again: 2 mul,
///                    1 exp per pair
///   scores           ds/√h unless unscaled; dq = ds·k, dk = dsᵀ·q: 1 mul per pair, mac
///                    2·H·h·pairs, dot T·(H + G)·h; flash computes the scores again: mac H·h·pairs,
///                    dot H·pairs, 1 mul per pair more unless unscaled
///   [rotary]         rotated back: 2 mul, 1 add per rotated feature
///   [q_norm, k_norm] see normBackwardCount(), of the same rows as in the forward pass
/// Query heads that share keys and values (G < H) add up to one gradient: they are terms of the
/// same dot products. Only for prefill (C = S).
template <class N>
void addBackwardCost(const Attention& attention, const Pass<N>& pass, CostTree<N>& tree)
{
    const AttentionSizes<N> a = attentionSizes(attention, pass);
    const N spilled = detail::spilledScores(attention, a);

    tree.operation("qkv_proj",
                   OpKind::linear,
                   N(a.tokens * pass.dModel),
                   linearBackwardCost(a.tokens,
                                      pass.dModel,
                                      N(a.headDim * (a.heads + N(2) * a.kvHeads)),
                                      biasIf(attention.qkvBias)));
    detail::forQkNorms(attention, a, [&](std::string_view name, const N& rows, const N& features) {
        tree.operation(name,
                       OpKind::norm,
                       N(rows * features),
                       normBackwardCost(attention.queryKeyNorm(), rows, features),
                       &kNormComponent);
    });
    detail::addRotary(attention, pass, a, tree);
    detail::addScoresBackward(attention, a, tree);
    detail::addScoreStepsBackward(attention, pass, a, tree);
    detail::addSoftmaxBackward(attention, a, tree);
    tree.operation(
        "weighted_sum",
        OpKind::weightedSum,
        N(a.pairs.once() + a.keys()),
        {.count = {.mac = a.pairs.twice * a.headDim, .dot = a.pairs.once() + a.keys()},
         .traffic = {.read = a.queries() + a.keys() + spilled, .written = a.keys() + spilled}});
    tree.operation("out_proj",
                   OpKind::linear,
                   a.queries(),
                   linearBackwardCost(
                       a.tokens, N(a.heads * a.headDim), pass.dModel, biasIf(attention.outBias)));
}

} // namespace flopsmith
