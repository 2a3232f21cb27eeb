// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/cost_tree.h"

// The part that latent and cross-attention share: scores of queries and keys of one width, their
// softmax, the weighted sum of values of another width.
namespace flopsmith {

/// Elements read from the cache if there is one, otherwise from activations.
template <class N>
Traffic<N> readFrom(bool cache, const N& elements)
{
    return cache ? Traffic<N>{.kvRead = elements} : Traffic<N>{.read = elements};
}

/// The same for writing.
template <class N>
Traffic<N> writtenTo(bool cache, const N& elements)
{
    return cache ? Traffic<N>{.kvWritten = elements} : Traffic<N>{.written = elements};
}

/// Twice the number of query-key pairs of all sequences and heads: charges per pair are halved
/// after their multiplication, so that half of an odd number is rounded last.
template <class N>
struct PairCount
{
    N twice{0};

    /// One for each pair, halves left out.
    N once() const { return twice / N(2); }

    /// So many for each pair: the multiply-adds of scores.
    N products(const N& perPair) const { return perPair * twice / N(2); }

    /// As many, but halves rounded up: the multiply-adds of the weighted sum, so that both products
    /// of one width together are exact.
    N otherProducts(const N& perPair) const { return perPair * twice - products(perPair); }
};

/// The sizes of such an attention core.
template <class N>
struct ScoreCore
{
    N rows; ///< H · T: rows of the score matrix
    PairCount<N> pairs; ///< of all sequences and heads
    N keyDim; ///< features of a query and of a key, per head
    N valueDim; ///< features of a value, per head
    N keys; ///< elements of all keys of the pass
    N values; ///< elements of all values of the pass
    bool valuesAreKeys = false; ///< values are features of the keys, not elements of their own
    bool scaled = true; ///< by a factor per score
    bool materialised = false; ///< scores are written, read, and kept for the backward pass
};

/// Of w = key width and v = value width:
///   scores        mac w·pairs, dot pairs, and 1 mul each if scaled
///   softmax       per row of n: n−1 cmp, n add, n exp, n−1 add, n div
///   weighted_sum  mac v·pairs, dot rows·v
/// `keysRead` and `valuesRead` say where keys and values are read from. Saved for the backward
/// pass: queries and keys (by scores), values (by weighted_sum), and by softmax its probabilities
/// if materialised, otherwise the maximum and the total of each row.
template <class N>
void addScoreCore(const ScoreCore<N>& a,
                  const Traffic<N>& keysRead,
                  const Traffic<N>& valuesRead,
                  CostTree<N>& tree)
{
    const N queries = a.rows * a.keyDim;
    const N sums = a.rows * a.valueDim;
    const N spilled = a.materialised ? a.pairs.once() : N(0);
    tree.operation("scores",
                   OpKind::scores,
                   a.pairs.once(),
                   {.count = {.mac = a.pairs.products(a.keyDim),
                              .dot = a.pairs.once(),
                              .mul = a.scaled ? a.pairs.once() : N(0)},
                    .traffic = keysRead + Traffic<N>{.read = queries, .written = spilled},
                    .saved = queries + a.keys});
    tree.operation("softmax",
                   OpKind::softmax,
                   a.pairs.once(),
                   {.count = {.add = a.pairs.twice - a.rows,
                              .div = a.pairs.once(),
                              .exp = a.pairs.once(),
                              .cmp = a.pairs.once() - a.rows},
                    .traffic = {.read = spilled, .written = spilled},
                    .saved = a.materialised ? a.pairs.once() : N(N(2) * a.rows)});
    tree.operation("weighted_sum",
                   OpKind::weightedSum,
                   sums,
                   {.count = {.mac = a.pairs.otherProducts(a.valueDim), .dot = sums},
                    .traffic = valuesRead + Traffic<N>{.read = spilled, .written = sums},
                    .saved = a.valuesAreKeys ? N(0) : a.values});
}

/// ds = p ⊙ (dp − Σ p ⊙ dp): 2 mul and 2 add per pair less 1 add per row. Flash attention takes the
/// sum from dO·O of the row (rows·v mul, rows·(v − 1) add), and computes p = e^(s − max)/total
/// again (1 add, 1 exp, 1 div per pair).
template <class N>
OpCount<N> scoreSoftmaxBackwardCount(const ScoreCore<N>& a)
{
    if (a.materialised) {
        return {.mul = a.pairs.twice, .add = a.pairs.twice - a.rows};
    }
    const N elements = a.rows * a.valueDim;
    return {.mul = elements + a.pairs.once(),
            .add = elements - a.rows + a.pairs.twice,
            .div = a.pairs.once(),
            .exp = a.pairs.once()};
}

/// Two products for each of the forward pass:
///   scores        ds·scale; dq = ds·k, dk = dsᵀ·q: 1 mul per pair if scaled, mac 2·w·pairs,
///                 dot rows·w + keys; flash computes the scores again: mac w·pairs, dot pairs,
///                 1 mul per pair more; 1 add per value where values are keys, for the sum of both
///   softmax       see scoreSoftmaxBackwardCount()
///   weighted_sum  dv = pᵀ·dO, dp = dO·vᵀ: mac 2·v·pairs, dot values + pairs
/// Heads that share keys and values are terms of the same dot products.
template <class N>
void addScoreCoreBackward(const ScoreCore<N>& a, CostTree<N>& tree)
{
    const N queries = a.rows * a.keyDim;
    const N sums = a.rows * a.valueDim;
    const N spilled = a.materialised ? a.pairs.once() : N(0);
    const N scaled = a.scaled ? a.pairs.once() : N(0);
    Cost<N> scores{
        .count = {.mac = a.pairs.twice * a.keyDim, .dot = queries + a.keys, .mul = scaled},
        .traffic = {.read = queries + a.keys + spilled, .written = queries + a.keys}};
    if (!a.materialised) {
        scores.count += {.mac = a.pairs.products(a.keyDim), .dot = a.pairs.once(), .mul = scaled};
    }
    if (a.valuesAreKeys) {
        scores +=
            {.count = {.add = a.values}, .traffic = {.read = N(2) * a.values, .written = a.values}};
    }
    tree.operation("scores", OpKind::scores, N(queries + a.keys), scores);
    tree.operation("softmax",
                   OpKind::softmax,
                   a.pairs.once(),
                   {.count = scoreSoftmaxBackwardCount(a),
                    .traffic = {.read = a.materialised ? a.pairs.twice : N(N(2) * (sums + a.rows)),
                                .written = spilled}});
    tree.operation("weighted_sum",
                   OpKind::weightedSum,
                   N(a.pairs.once() + a.values),
                   {.count = {.mac = a.pairs.twice * a.valueDim, .dot = a.pairs.once() + a.values},
                    .traffic = {.read = sums + a.values + spilled, .written = a.values + spilled}});
}

} // namespace flopsmith
