// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/count/cost_tree.h"
#include "core/layer/linear_cost.h"
#include "core/layer/norm_cost.h"
#include "core/mixer/attention.h"
#include "core/mixer/score_core_cost.h"

namespace flopsmith {

namespace detail {

/// Twice the number of pairs in which each of the last S of C positions sees itself and at most
/// `reach` earlier keys: S(S+1) + 2S(C−S) without a limit.
template <class N>
N twicePairsBack(const Attention& attention, const Pass<N>& pass, const N& window)
{
    const N s = pass.sequence;
    const N c = pass.context;
    const int maxKeys = attention.reachBack(pass.contextValue) + 1;
    if (attention.window == 0 || pass.contextValue <= maxKeys) {
        return s * (s + N(1)) + N(2) * s * (c - s);
    }
    if (pass.contextValue - pass.sequenceValue >= maxKeys) {
        return N(2) * s * window;
    }
    // Queries that see fewer than w keys see cached+1 … w of them; the C − w others see w.
    const N growing = window * (window + N(1)) - (c - s) * (c - s + N(1));
    return growing + N(2) * (c - window) * window;
}

/// Twice the pairs with later keys, of which there are S − 1 at most.
template <class N>
N twicePairsForward(const Attention& attention, const Pass<N>& pass, const N& reach)
{
    const N s = pass.sequence;
    if (pass.sequenceValue - 1 <= attention.reachForward(pass.contextValue)) {
        return s * (s - N(1));
    }
    // The last `reach` queries see 0 … reach − 1 later keys, the others `reach`.
    return reach * (reach - N(1)) + N(2) * (s - reach) * reach;
}

/// Keys on either side of a query under a window that is not causal.
template <class N>
N reachOf(const Attention& attention, const Pass<N>& pass)
{
    return pass.numbers("w_side", attention.window / 2, "half of the window");
}

} // namespace detail

/// Query-key pairs per sequence and head, times two (so that `half` stays a whole number): charges
/// per pair are halved last, see PairCount.
/// S query tokens are the last of C; the i-th of them (from 1) sees C − S + i keys if causal, at
/// most the window. exact: S(S+1) + 2S(C−S) if causal, 2SC if not, both without a window.
template <class N>
N twicePairs(const Attention& attention, const Pass<N>& pass)
{
    const N s = pass.sequence;
    const N c = pass.context;
    if (pass.pairs == PairsRule::full || (!attention.causal && attention.window == 0)) {
        return N(2) * s * c;
    }
    if (attention.causal) {
        if (pass.pairs == PairsRule::half) {
            return s * c;
        }
        const N window = attention.window == 0 ? N(0) : pass.numbers("w", attention.window);
        return detail::twicePairsBack(attention, pass, window);
    }
    if (pass.pairs == PairsRule::half) {
        return N(2) * s * c;
    }
    const N reach = detail::reachOf(attention, pass);
    return detail::twicePairsBack(attention, pass, N(reach + N(1)))
        + detail::twicePairsForward(attention, pass, reach);
}

/// The sizes that attention's operations share.
template <class N>
struct AttentionSizes
{
    N tokens;
    N heads; ///< H
    N kvHeads; ///< G
    N headDim; ///< h
    PairCount<N> pairs; ///< of all sequences and heads
    N rows; ///< H · T: rows of the score matrix

    N queries() const { return tokens * heads * headDim; } ///< elements
    N keys() const { return tokens * kvHeads * headDim; } ///< elements, and again of values
};

template <class N>
AttentionSizes<N> attentionSizes(const Attention& attention, const Pass<N>& pass)
{
    const N heads = pass.numbers("H", attention.heads);
    const N kvHeads =
        attention.kvHeads == attention.heads ? heads : pass.numbers("G", attention.kvHeads);
    const N headDim =
        attention.headDim > 0 ? pass.numbers("h", attention.headDim) : pass.dModel / heads;
    const PairCount<N> pairs{pass.batch * heads * twicePairs(attention, pass)};
    return {pass.tokens(), heads, kvHeads, headDim, pairs, pass.tokens() * heads};
}

/// Keys of a sequence that at least one of its queries sees.
template <class N>
N visibleKeys(const Attention& attention, const Pass<N>& pass)
{
    const int seen = attention.reachBack(pass.contextValue);
    if (attention.window == 0 || pass.contextValue <= seen + pass.sequenceValue) {
        return pass.context;
    }
    return attention.causal ? N(pass.numbers("w", attention.window) + pass.sequence - N(1))
                            : N(detail::reachOf(attention, pass) + pass.sequence);
}

namespace detail {

/// Elements of the score matrix if it is written.
template <class N>
N spilledScores(const Attention& attention, const AttentionSizes<N>& a)
{
    return keepsScores(attention) ? a.pairs.once() : N(0);
}

template <class N>
N biasTableSize(const Attention& attention, const Pass<N>& pass, const AttentionSizes<N>& a)
{
    return attention.readsBiasTable() ? pass.numbers("R", attention.relativeBuckets) * a.heads
                                      : N(0);
}

/// Calls add(name, rows, features of a row) for the norms of queries and of keys.
template <class N, class Add>
void forQkNorms(const Attention& attention, const AttentionSizes<N>& a, Add add)
{
    if (!attention.normalisesQk()) {
        return;
    }
    if (attention.qkNorm == QkNorm::perHead) {
        add("q_norm", a.rows, a.headDim);
        add("k_norm", N(a.tokens * a.kvHeads), a.headDim);
    } else {
        add("q_norm", a.tokens, N(a.heads * a.headDim));
        add("k_norm", a.tokens, N(a.kvHeads * a.headDim));
    }
}

/// RoPE, forward or back: 2 mul and 1 add per rotated feature of queries and keys.
template <class N>
void addRotary(const Attention& attention,
               const Pass<N>& pass,
               const AttentionSizes<N>& a,
               CostTree<N>& tree)
{
    if (!attention.rotary) {
        return;
    }
    const bool whole =
        attention.rotaryFeatures(pass.dModelValue) == attention.headDimFor(pass.dModelValue);
    const N rotated = whole ? a.headDim : pass.numbers("h_rot", attention.rotaryDim);
    const N n = a.tokens * (a.heads + a.kvHeads) * rotated;
    tree.operation("rotary",
                   OpKind::rotary,
                   n,
                   {.count = {.mul = N(2) * n, .add = n}, .traffic = {.read = n, .written = n}});
}

template <class N>
void addQkvProjection(const Attention& attention,
                      const Pass<N>& pass,
                      const AttentionSizes<N>& a,
                      CostTree<N>& tree)
{
    const N all = a.queries() + N(2) * a.keys();
    Cost<N> qkv = linearCost(a.tokens,
                             pass.dModel,
                             N(a.headDim * (a.heads + N(2) * a.kvHeads)),
                             biasIf(attention.qkvBias));
    qkv.traffic.written = attention.causal ? a.queries() : all;
    qkv.traffic.kvWritten = attention.causal ? N(N(2) * a.keys()) : N(0);
    tree.operation("qkv_proj", OpKind::linear, all, qkv);
}

/// An elementwise operation between scores and softmax: one value per pair in, one out.
template <class N>
void addScoreSteps(const Attention& attention,
                   const Pass<N>& pass,
                   const AttentionSizes<N>& a,
                   CostTree<N>& tree)
{
    const N spilled = spilledScores(attention, a);
    if (attention.hasSoftCap()) {
        tree.operation("soft_cap",
                       OpKind::activation,
                       a.pairs.once(),
                       {.count = {.mul = a.pairs.twice, .exp = a.pairs.once()},
                        .traffic = {.read = spilled, .written = spilled},
                        .saved = spilled});
    }
    if (attention.biasesScores()) {
        const N table = biasTableSize(attention, pass, a);
        const bool owned = attention.positionBias == PositionBias::relative;
        tree.operation(
            "position_bias",
            OpKind::elementwise,
            a.pairs.once(),
            {.count = {.add = a.pairs.once(),
                       .move = attention.readsBiasTable() ? a.pairs.once() : N(0)},
             .traffic = {.weights = table, .vectors = table, .read = spilled, .written = spilled},
             .parameters = ParameterCount<N>::ofVectors(owned ? table : N(0))});
    }
}

template <class N>
void addSoftmax(const Attention& attention, const AttentionSizes<N>& a, CostTree<N>& tree)
{
    const N spilled = spilledScores(attention, a);
    const N rowsWithSink = attention.sinks ? a.rows : N(0);
    const N sinks = attention.sinks ? a.heads : N(0);
    const N totals = keepsScores(attention) ? rowsWithSink : a.rows;
    tree.operation(
        "softmax",
        OpKind::softmax,
        a.pairs.once(),
        {.count = {.add = a.pairs.twice + N(2) * rowsWithSink - a.rows,
                   .div = a.pairs.once(),
                   .exp = a.pairs.once() + rowsWithSink,
                   .cmp = a.pairs.once() + rowsWithSink - a.rows},
         .traffic = {.weights = sinks, .vectors = sinks, .read = spilled, .written = spilled},
         .parameters = ParameterCount<N>::ofVectors(sinks),
         .saved = spilled + N(2) * totals});
}

} // namespace detail

/// Projections, norms, rotation, scores, softmax, weighted sum, output projection, as operations of
/// their own; those in brackets only if the attention has them:
///   qkv_proj         linear d → h(H + 2G)
///   [q_norm, k_norm] as layer/norm.h says, of T·H and T·G rows of h features, or of T rows of H·h
///                    and G·h
///   [rotary]         2 mul, 1 add per rotated feature of q and k (cos and sin from a table)
///   scores           mac H·h·pairs, dot H·pairs, and 1 mul each for 1/√h unless unscaled
///   [soft_cap]       cap·tanh(s·1/cap): 2 mul, 1 exp per pair and head
///   [position_bias]  1 add per pair and head; with a learned table also 1 move, the look-up of the
///                    distance's entry. ALiBi's slope·distance stands in a table that is computed
///                    once, like cos and sin
///   softmax          per row of n: n−1 cmp, n add, n exp, n−1 add, n div; a sink is one more score
///                    of the row's maximum and total: 1 cmp, 2 add, 1 exp more
///   weighted_sum     mac H·h·pairs, dot T·H·h
///   out_proj         linear H·h → d
/// Parameters: of the projections and norms, H sinks, and the [buckets, H] table of a relative
/// bias; a shared one reads the table of an earlier block.
/// Saved for the backward pass: by the norms, see there; rotated queries and keys (by scores); the
/// tanh of soft_cap if materialised; values (by weighted_sum), its sums (by out_proj), and by
/// softmax its probabilities if materialised, and the maximum and the total of each row if not or
/// if there are sinks.
template <class N>
void addCost(const Attention& attention, const Pass<N>& pass, CostTree<N>& tree)
{
    const AttentionSizes<N> a = attentionSizes(attention, pass);
    const N qSize = a.queries();
    const N keySize = pass.batch * visibleKeys(attention, pass) * a.kvHeads * a.headDim;
    // Only causal attention keeps keys and values for later tokens; others are activations.
    const N cached = attention.causal ? keySize : N(0);
    const N uncached = attention.causal ? N(0) : keySize;
    const N spilled = detail::spilledScores(attention, a);

    detail::addQkvProjection(attention, pass, a, tree);
    detail::forQkNorms(attention, a, [&](std::string_view name, const N& rows, const N& features) {
        tree.operation(name,
                       OpKind::norm,
                       N(rows * features),
                       normCost(attention.queryKeyNorm(), rows, features),
                       &kNormComponent);
    });
    detail::addRotary(attention, pass, a, tree);
    tree.operation("scores",
                   OpKind::scores,
                   a.pairs.once(),
                   {.count = {.mac = a.pairs.products(a.headDim),
                              .dot = a.pairs.once(),
                              .mul = attention.scaleScores ? a.pairs.once() : N(0)},
                    .traffic = {.read = qSize + uncached, .written = spilled, .kvRead = cached},
                    .saved = qSize + a.keys()});
    detail::addScoreSteps(attention, pass, a, tree);
    detail::addSoftmax(attention, a, tree);
    tree.operation("weighted_sum",
                   OpKind::weightedSum,
                   qSize,
                   {.count = {.mac = a.pairs.otherProducts(a.headDim), .dot = qSize},
                    .traffic = {.read = spilled + uncached, .written = qSize, .kvRead = cached},
                    .saved = a.keys()});
    Cost<N> out =
        linearCost(a.tokens, N(a.heads * a.headDim), pass.dModel, biasIf(attention.outBias));
    out.saved = qSize;
    tree.operation("out_proj", OpKind::linear, N(a.tokens * pass.dModel), out);
}

} // namespace flopsmith
