// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/count/cost_tree.h"
#include "core/count/numbers.h"
#include "core/layer/linear.h"
#include "core/layer/variant_info.h"
#include "core/layer/weight_shape.h"

namespace flopsmith {

enum class AttentionAlgorithm {
    flash, ///< scores stay on chip, block by block
    materialised, ///< the score matrix is written and read
};

template <>
std::vector<std::string_view> enumNames<AttentionAlgorithm>();

/// Softmax attention: MHA (G = H), GQA (1 < G < H) or MQA (G = 1), causal or not, optionally
/// within a sliding window and with rotary positions.
///   q, k, v = x·Wq, x·Wk, x·Wv;  y = softmax(q·kᵀ/√h)·v·Wo
struct Attention
{
    int heads = 12; ///< H
    int kvHeads = 12; ///< G, divides H
    int headDim = 0; ///< h; 0 means d_model / heads
    bool causal = true;
    bool qkvBias = true;
    bool outBias = true;
    bool rotary = false; ///< RoPE on all h features of queries and keys
    int window = 0; ///< keys that a query sees at most if causal; 0: all
    AttentionAlgorithm algorithm = AttentionAlgorithm::flash;

    bool operator==(const Attention&) const = default;

    int headDimFor(int dModel) const { return headDim > 0 ? headDim : dModel / heads; }

    /// Derived head dimensions must be whole, and even with RoPE.
    int dModelMultiple() const
    {
        const int perHead = rotary ? 2 : 1;
        return headDim > 0 ? 1 : heads * perHead;
    }

    static const VariantInfo& info();
    static const std::vector<Field<Attention>>& fields();
};

/// RoPE turns features i and i + h/2 of a head (i = pair < h/2) by position·10000^(−2i/h) radians:
/// the "rotate half" convention of Llama and GPT-NeoX.
double rotaryAngle(int position, int pair, int headDim);

/// qkv.weight [d, (H+2G)·h] with columns q | k | v, its bias, out.weight [H·h, d], its bias.
WeightShapes weights(const Attention& attention, int dModel);

/// Query-key pairs per sequence and head, times two (so that `half` stays a whole number).
/// S query tokens stand at the end of C keys; the i-th of them (from 1) sees C − S + i, at most
/// the window. exact: S(S+1) + 2S(C−S) if causal, 2SC if not.
template <class N>
N twicePairs(const Attention& attention, const Pass<N>& pass)
{
    const N s = pass.sequence;
    const N c = pass.context;
    if (!attention.causal || pass.pairs == PairsRule::full) {
        return N(2) * s * c;
    }
    if (pass.pairs == PairsRule::half) {
        return s * c;
    }
    if (attention.window == 0 || pass.contextValue <= attention.window) {
        return s * (s + N(1)) + N(2) * s * (c - s);
    }
    const N w = pass.numbers("w", attention.window);
    const int cached = pass.contextValue - pass.sequenceValue;
    if (cached >= attention.window) {
        return N(2) * s * w;
    }
    // Queries that see fewer than w keys see cached+1 … w of them; the C − w others see w.
    const N growing = w * (w + N(1)) - (c - s) * (c - s + N(1));
    return growing + N(2) * (c - w) * w;
}

/// Whether the matrix of scores is written, and kept for the backward pass.
inline bool keepsScores(const Attention& attention)
{
    return attention.algorithm == AttentionAlgorithm::materialised;
}

/// The sizes that attention's operations share.
template <class N>
struct AttentionSizes
{
    N tokens;
    N heads; ///< H
    N kvHeads; ///< G
    N headDim; ///< h
    N pairs; ///< H · pairs of all sequences
    N rows; ///< H · T: rows of the score matrix
};

template <class N>
AttentionSizes<N> attentionSizes(const Attention& attention, const Pass<N>& pass)
{
    const N heads = pass.numbers("H", attention.heads);
    const N kvHeads =
        attention.kvHeads == attention.heads ? heads : pass.numbers("G", attention.kvHeads);
    const N headDim =
        attention.headDim > 0 ? pass.numbers("h", attention.headDim) : pass.dModel / heads;
    const N pairs = pass.batch * heads * twicePairs(attention, pass) / N(2);
    return {pass.tokens(), heads, kvHeads, headDim, pairs, pass.tokens() * heads};
}

/// Keys of a sequence that at least one of its queries sees.
template <class N>
N visibleKeys(const Attention& attention, const Pass<N>& pass)
{
    const int reach = attention.window + pass.sequenceValue - 1;
    if (!attention.causal || attention.window == 0 || pass.contextValue <= reach) {
        return pass.context;
    }
    return pass.numbers("w", attention.window) + pass.sequence - N(1);
}

/// Projections, rotation, scores, softmax, weighted sum, output projection, as operations of
/// their own:
///   qkv_proj      linear d → h(H + 2G)
///   rotary        2 mul, 1 add per rotated feature of q and k (cos and sin from a table)
///   scores        mac H·h·pairs, dot H·pairs, and 1 mul each for 1/√h
///   softmax       per row of n: n−1 cmp, n add, n exp, n−1 add, n div
///   weighted_sum  mac H·h·pairs, dot T·H·h
///   out_proj      linear H·h → d
/// Kept for the backward pass: rotated queries and keys (by scores), values (by weighted_sum), its
/// sums (by out_proj), and by softmax its probabilities if materialised, else the maximum and the
/// total of each row.
template <class N>
void addCost(const Attention& attention, const Pass<N>& pass, CostTree<N>& tree)
{
    const AttentionSizes<N> a = attentionSizes(attention, pass);
    const N qSize = a.tokens * a.heads * a.headDim;
    const N kvSize = a.tokens * a.kvHeads * a.headDim; // of keys, and again of values
    const N keySize = pass.batch * visibleKeys(attention, pass) * a.kvHeads * a.headDim;
    // Only causal attention keeps keys and values for later tokens; others are activations.
    const N cached = attention.causal ? keySize : N(0);
    const N uncached = attention.causal ? N(0) : keySize;
    const N spilled = keepsScores(attention) ? a.pairs : N(0);

    Cost<N> qkv = linearCost(a.tokens,
                             pass.dModel,
                             N(a.headDim * (a.heads + N(2) * a.kvHeads)),
                             biasIf(attention.qkvBias));
    qkv.traffic.written = attention.causal ? qSize : N(qSize + N(2) * kvSize);
    qkv.traffic.kvWritten = attention.causal ? N(N(2) * kvSize) : N(0);
    tree.operation("qkv_proj", OpKind::linear, N(qSize + N(2) * kvSize), qkv);

    if (attention.rotary) {
        const N n = qSize + kvSize;
        tree.operation(
            "rotary",
            OpKind::rotary,
            n,
            {.count = {.mul = N(2) * n, .add = n}, .traffic = {.read = n, .written = n}});
    }
    tree.operation("scores",
                   OpKind::scores,
                   a.pairs,
                   {.count = {.mac = a.headDim * a.pairs, .dot = a.pairs, .mul = a.pairs},
                    .traffic = {.read = qSize + uncached, .written = spilled, .kvRead = cached},
                    .saved = qSize + kvSize});
    tree.operation("softmax",
                   OpKind::softmax,
                   a.pairs,
                   {.count = {.add = N(2) * a.pairs - a.rows,
                              .div = a.pairs,
                              .exp = a.pairs,
                              .cmp = a.pairs - a.rows},
                    .traffic = {.read = spilled, .written = spilled},
                    .saved = keepsScores(attention) ? a.pairs : N(N(2) * a.rows)});
    tree.operation("weighted_sum",
                   OpKind::weightedSum,
                   qSize,
                   {.count = {.mac = a.headDim * a.pairs, .dot = qSize},
                    .traffic = {.read = spilled + uncached, .written = qSize, .kvRead = cached},
                    .saved = kvSize});
    Cost<N> out =
        linearCost(a.tokens, N(a.heads * a.headDim), pass.dModel, biasIf(attention.outBias));
    out.saved = qSize;
    tree.operation("out_proj", OpKind::linear, N(a.tokens * pass.dModel), out);
}

/// What softmax's backward executes: ds = p ⊙ (dp − Σ p ⊙ dp), 2 mul and 2 add per pair less 1 add
/// per row. Flash attention takes the sum from dO·O of the row (T·H·h mul, T·H·(h − 1) add), and
/// computes p = e^(s − max)/total again (1 add, 1 exp, 1 div per pair).
template <class N>
OpCount<N> softmaxBackwardCount(const Attention& attention, const AttentionSizes<N>& a)
{
    if (keepsScores(attention)) {
        return {.mul = N(2) * a.pairs, .add = N(2) * a.pairs - a.rows};
    }
    const N elements = a.rows * a.headDim;
    return {.mul = elements + a.pairs,
            .add = elements - a.rows + N(2) * a.pairs,
            .div = a.pairs,
            .exp = a.pairs};
}

/// Two products for each of the forward pass:
///   weighted_sum  dv = pᵀ·dO, dp = dO·vᵀ: mac 2·H·h·pairs, dot T·G·h + H·pairs
///   softmax       see softmaxBackwardCount()
///   scores        ds/√h; dq = ds·k, dk = dsᵀ·q: 1 mul per pair, mac 2·H·h·pairs,
///                 dot T·(H + G)·h; flash computes the scores again: mac H·h·pairs, dot H·pairs,
///                 1 mul per pair more
///   rotary        turned back: 2 mul, 1 add per feature
/// Query heads that share keys and values (G < H) sum into one gradient: they are terms of the
/// same dot products. Of prefill alone (C = S).
template <class N>
void addBackwardCost(const Attention& attention, const Pass<N>& pass, CostTree<N>& tree)
{
    const AttentionSizes<N> a = attentionSizes(attention, pass);
    const N qSize = a.tokens * a.heads * a.headDim;
    const N kvSize = a.tokens * a.kvHeads * a.headDim;
    const N products = a.headDim * a.pairs;
    const N spilled = keepsScores(attention) ? a.pairs : N(0);

    tree.operation("qkv_proj",
                   OpKind::linear,
                   N(a.tokens * pass.dModel),
                   linearBackwardCost(a.tokens,
                                      pass.dModel,
                                      N(a.headDim * (a.heads + N(2) * a.kvHeads)),
                                      biasIf(attention.qkvBias)));
    if (attention.rotary) {
        const N n = qSize + kvSize;
        tree.operation(
            "rotary",
            OpKind::rotary,
            n,
            {.count = {.mul = N(2) * n, .add = n}, .traffic = {.read = n, .written = n}});
    }
    Cost<N> scores{.count = {.mac = N(2) * products, .dot = qSize + kvSize, .mul = a.pairs},
                   .traffic = {.read = qSize + kvSize + spilled, .written = qSize + kvSize}};
    if (!keepsScores(attention)) {
        scores.count += {.mac = products, .dot = a.pairs, .mul = a.pairs};
    }
    tree.operation("scores", OpKind::scores, N(qSize + kvSize), scores);
    tree.operation("softmax",
                   OpKind::softmax,
                   a.pairs,
                   {.count = softmaxBackwardCount(attention, a),
                    .traffic = {.read = keepsScores(attention) ? N(N(2) * a.pairs)
                                                               : N(N(2) * (qSize + a.rows)),
                                .written = spilled}});
    tree.operation("weighted_sum",
                   OpKind::weightedSum,
                   N(a.pairs + kvSize),
                   {.count = {.mac = N(2) * products, .dot = a.pairs + kvSize},
                    .traffic = {.read = qSize + kvSize + spilled, .written = kvSize + spilled}});
    tree.operation("out_proj",
                   OpKind::linear,
                   qSize,
                   linearBackwardCost(
                       a.tokens, N(a.heads * a.headDim), pass.dModel, biasIf(attention.outBias)));
}

} // namespace flopsmith
