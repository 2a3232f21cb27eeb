// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/count/cost_tree.h"
#include "core/layer/linear_cost.h"
#include "core/mixer/cross_attention.h"
#include "core/mixer/score_core_cost.h"

namespace flopsmith {

/// S_src; C if the pass gives none.
template <class N>
N sourceTokens(const Pass<N>& pass)
{
    return pass.sourceValue > 0 ? pass.source : pass.context;
}

/// Whether keys and values of the source are already cached.
template <class N>
bool sourceIsCached(const Pass<N>& pass)
{
    return pass.contextValue > pass.sequenceValue;
}

template <class N>
struct CrossAttentionSizes
{
    N tokens; ///< T
    N source; ///< B · S_src
    N queryWidth; ///< H·h
    N keyWidth; ///< G·h
    ScoreCore<N> core;
};

template <class N>
CrossAttentionSizes<N> crossAttentionSizes(const CrossAttention& attention, const Pass<N>& pass)
{
    const N heads = pass.numbers("H", attention.heads);
    const N kvHeads =
        attention.kvHeads == attention.heads ? heads : pass.numbers("G", attention.kvHeads);
    const N headDim =
        attention.headDim > 0 ? pass.numbers("h", attention.headDim) : pass.dModel / heads;
    const N rows = pass.tokens() * heads;
    const N source = pass.batch * sourceTokens(pass);
    const N keys = source * kvHeads * headDim;
    return {.tokens = pass.tokens(),
            .source = source,
            .queryWidth = heads * headDim,
            .keyWidth = kvHeads * headDim,
            .core = {.rows = rows,
                     .pairs = {N(2) * rows * sourceTokens(pass)},
                     .keyDim = headDim,
                     .valueDim = headDim,
                     .keys = keys,
                     .values = keys,
                     .scaled = attention.scaleScores,
                     .materialised = attention.algorithm == AttentionAlgorithm::materialised}};
}

/// The projection of keys and values: in prefill a linear d → 2G·h of the source's B·S_src tokens,
/// whose results are cached; in decode only its parameters.
template <class N>
Cost<N> sourceProjectionCost(const CrossAttention& attention,
                             const CrossAttentionSizes<N>& a,
                             const Pass<N>& pass)
{
    Cost<N> cost =
        linearCost(a.source, pass.dModel, N(N(2) * a.keyWidth), biasIf(attention.qkvBias));
    if (sourceIsCached(pass)) {
        return {.parameters = cost.parameters};
    }
    cost.traffic.written = N(0);
    cost.traffic.kvWritten = N(2) * a.source * a.keyWidth;
    return cost;
}

/// Projections, scores, softmax, weighted sum, output projection:
///   q_proj        linear d → H·h of T tokens
///   kv_proj       see sourceProjectionCost()
///   scores, softmax, weighted_sum
///                 see addScoreCore() with w = v = h and S·S_src pairs per sequence and head
///   out_proj      linear H·h → d
template <class N>
void addCost(const CrossAttention& attention, const Pass<N>& pass, CostTree<N>& tree)
{
    const CrossAttentionSizes<N> a = crossAttentionSizes(attention, pass);
    tree.operation("q_proj",
                   OpKind::linear,
                   N(a.tokens * a.queryWidth),
                   linearCost(a.tokens, pass.dModel, a.queryWidth, biasIf(attention.qkvBias)));
    tree.operation("kv_proj",
                   OpKind::linear,
                   sourceIsCached(pass) ? N(0) : N(N(2) * a.core.keys),
                   sourceProjectionCost(attention, a, pass));
    addScoreCore(a.core, readFrom(true, a.core.keys), readFrom(true, a.core.values), tree);
    Cost<N> out = linearCost(a.tokens, a.queryWidth, pass.dModel, biasIf(attention.outBias));
    out.saved = a.tokens * a.queryWidth;
    tree.operation("out_proj", OpKind::linear, N(a.tokens * pass.dModel), out);
}

/// The gradients of x and of the source: q_proj, kv_proj and out_proj as linearBackwardCost(), the
/// rest as addScoreCoreBackward(). Of prefill alone (C = S).
template <class N>
void addBackwardCost(const CrossAttention& attention, const Pass<N>& pass, CostTree<N>& tree)
{
    const CrossAttentionSizes<N> a = crossAttentionSizes(attention, pass);
    const Bias bias = biasIf(attention.qkvBias);
    tree.operation("q_proj",
                   OpKind::linear,
                   N(a.tokens * pass.dModel),
                   linearBackwardCost(a.tokens, pass.dModel, a.queryWidth, bias));
    tree.operation("kv_proj",
                   OpKind::linear,
                   N(a.source * pass.dModel),
                   linearBackwardCost(a.source, pass.dModel, N(N(2) * a.keyWidth), bias));
    addScoreCoreBackward(a.core, tree);
    tree.operation(
        "out_proj",
        OpKind::linear,
        N(a.tokens * a.queryWidth),
        linearBackwardCost(a.tokens, a.queryWidth, pass.dModel, biasIf(attention.outBias)));
}

} // namespace flopsmith
