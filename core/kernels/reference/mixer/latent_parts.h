// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/mixer_operands.h"
#include "core/kernels/reference/layer.h"
#include "core/kernels/reference/linear.h"
#include "core/kernels/reference/mixer/attention_parts.h"
#include "core/kernels/reference/mixer/score_row.h"
#include "core/kernels/shape.h"
#include "core/kernels/weights.h"
#include "core/mixer/latent_attention.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

// Shared by the forward and the backward pass of latent attention.
namespace flopsmith::reference {

/// Loop sizes.
struct LatentLoops
{
    std::size_t batch;
    std::size_t queries; ///< S
    std::size_t cached; ///< C − S
    std::size_t keys; ///< C
    std::size_t tokens; ///< T
    std::size_t heads; ///< H
    std::size_t queryRank; ///< r_q
    std::size_t rank; ///< r_kv
    std::size_t nope;
    std::size_t rope;
    std::size_t value; ///< h_v
    bool absorbed;
    Rope angles;

    LatentLoops(const LatentAttention& a, const Shape& shape)
        : batch(static_cast<std::size_t>(shape.batch))
        , queries(static_cast<std::size_t>(shape.sequence))
        , cached(static_cast<std::size_t>(shape.context - shape.sequence))
        , keys(static_cast<std::size_t>(shape.context))
        , tokens(shape.tokens())
        , heads(static_cast<std::size_t>(a.heads))
        , queryRank(static_cast<std::size_t>(a.qLoraRank))
        , rank(static_cast<std::size_t>(a.kvLoraRank))
        , nope(static_cast<std::size_t>(a.qkNopeDim))
        , rope(static_cast<std::size_t>(a.qkRopeDim))
        , value(static_cast<std::size_t>(a.vHeadDim))
        , absorbed(a.inStep(cached > 0).isAbsorbed())
        , angles(a.rope)
    {}

    std::size_t qkDim() const { return nope + rope; }

    /// Features per head of the core's queries and keys.
    std::size_t keyDim() const { return (absorbed ? rank : nope) + rope; }
    std::size_t valueDim() const { return absorbed ? rank : value; }

    /// Features of a row of keys, all heads.
    std::size_t keyWidth() const { return (absorbed ? rank : heads * nope) + rope; }
    std::size_t valueWidth() const { return absorbed ? keyWidth() : heads * value; }
};

/// `width` columns of rows of `stride`, from `first` on.
template <class S>
std::vector<S> columnsOf(std::span<const S> rows,
                         std::size_t stride,
                         std::size_t first,
                         std::size_t width)
{
    std::vector<S> columns;
    for (std::size_t at = first; at < rows.size(); at += stride) {
        columns.insert(columns.end(), rows.data() + at, rows.data() + at + width);
    }
    return columns;
}

/// Concatenates rows of `left` and `right`; `rows` of them.
template <class S>
std::vector<S> besideEachOther(std::size_t rows, std::span<const S> left, std::span<const S> right)
{
    std::vector<S> both;
    for (std::size_t i = 0; i < rows; ++i) {
        for (const std::span<const S>& part : {left, right}) {
            const std::size_t width = part.size() / rows;
            both.insert(both.end(), part.data() + i * width, part.data() + (i + 1) * width);
        }
    }
    return both;
}

/// Rotates the last h_rope of `stride` features, of `perToken` heads of each token.
template <class S>
void rotateTails(const LatentLoops& n,
                 std::span<S> rows,
                 std::size_t stride,
                 std::size_t perToken,
                 Rotation rotation)
{
    for (std::size_t row = 0; row < n.tokens * perToken; ++row) {
        const auto position = static_cast<int>(n.cached + row / perToken % n.queries);
        rotate(rows.subspan((row + 1) * stride - n.rope, n.rope), position, n.angles, rotation);
    }
}

/// One product per head: x [T·H, in of xStride] times the head's matrix [in, out], whose elements
/// are w[index(head, in, out)], into y [T·H, out of yStride].
struct HeadProduct
{
    std::size_t tokens;
    std::size_t heads;
    std::size_t in;
    std::size_t xStride;
    std::size_t out;
    std::size_t yStride;
    bool keys; ///< x·W_ukᵀ with k_b.weight [r, H·h_nope]; else x·W_uv with v_b.weight [r, H·h_v]

    std::size_t index(std::size_t head, std::size_t i, std::size_t o) const
    {
        return keys ? (o * heads + head) * in + i : (i * heads + head) * out + o;
    }

    template <class S>
    void run(std::span<const S> x, const std::vector<S>& w, std::span<S> y) const
    {
        for (std::size_t row = 0; row < tokens * heads; ++row) {
            for (std::size_t o = 0; o < out; ++o) {
                for (std::size_t i = 0; i < in; ++i) {
                    const S term = x[row * xStride + i] * w[index(row % heads, i, o)];
                    accumulate(y[row * yStride + o], term, i == 0);
                }
            }
        }
    }

    template <class S>
    void runBackward(std::span<const S> x,
                     const std::vector<S>& w,
                     std::span<const S> dy,
                     std::span<S> dx,
                     std::vector<S>& dW) const
    {
        for (std::size_t row = 0; row < tokens * heads; ++row) {
            for (std::size_t i = 0; i < in; ++i) {
                for (std::size_t o = 0; o < out; ++o) {
                    const std::size_t at = index(row % heads, i, o);
                    const S& gradient = dy[row * yStride + o];
                    accumulate(dx[row * xStride + i], gradient * w[at], o == 0);
                    accumulate(dW[at], x[row * xStride + i] * gradient, row < heads);
                }
            }
        }
    }
};

inline HeadProduct keyAbsorption(const LatentLoops& n)
{
    return {n.tokens, n.heads, n.nope, n.qkDim(), n.rank, n.keyDim(), true};
}

inline HeadProduct valueAbsorption(const LatentLoops& n)
{
    return {n.tokens, n.heads, n.rank, n.rank, n.value, n.value, false};
}

/// Everything that the forward pass computes before the core.
template <class S>
struct LatentState
{
    std::vector<S> queryLatents; ///< [T, r_q] before their norm
    std::vector<S> queryNormed; ///< [T, r_q]
    std::vector<S> q; ///< [T, H·(h_nope + h_rope)], rotated
    std::vector<S> raw; ///< c of the new tokens before its norm [T, r_kv]
    std::vector<S> latents; ///< c of the new tokens [T, r_kv]
    std::vector<S> queries; ///< queries of the core [T, H·keyDim]
    std::vector<S> keys; ///< [B·C, keyWidth]
    std::vector<S> values; ///< [B·C, valueWidth]; empty if they are among the keys
};

/// `cachedKeys` and `cachedValues` as described by CachedFeatures.
template <class S>
LatentState<S> latentState(const LatentAttention& attention,
                           const LatentLoops& n,
                           WeightView<S> weights,
                           std::span<const S> x,
                           std::span<const S> cachedKeys,
                           std::span<const S> cachedValues);

/// One head of one token.
template <class S>
ScoreRow<S> latentRow(const LatentAttention& attention,
                      const LatentLoops& n,
                      const LatentState<S>& state,
                      std::size_t token,
                      std::size_t head)
{
    const std::size_t sequence = token / n.queries * n.keys;
    const std::size_t keys = sequence * n.keyWidth();
    const std::size_t values = sequence * n.valueWidth();
    const std::size_t visible = attention.causal ? n.cached + token % n.queries + 1 : n.keys;
    ScoreRow<S> row{.query = std::span<const S>(state.queries)
                                 .subspan((token * n.heads + head) * n.keyDim(), n.keyDim()),
                    .keys = state.keys,
                    .keyAt = {},
                    .values = n.absorbed ? state.keys : state.values,
                    .valueAt = {},
                    .visible = visible};
    row.scale = static_cast<S>(attention.scoreFactor());
    if (n.absorbed) {
        row.keyAt = {keys, n.keyWidth(), n.keyDim(), 0, keys};
        row.valueAt = {values, n.valueWidth(), n.rank, 0, values};
    } else {
        row.keyAt = {
            keys + head * n.nope, n.keyWidth(), n.qkDim(), n.nope, keys + n.heads * n.nope};
        row.valueAt = ownFeatures(values + head * n.value, n.valueWidth(), n.value);
    }
    return row;
}

/// The core's sums [T, H·valueDim].
template <class S>
std::vector<S> latentSums(const LatentAttention& attention,
                          const LatentLoops& n,
                          const LatentState<S>& state)
{
    std::vector<S> sums(n.tokens * n.heads * n.valueDim());
    for (std::size_t t = 0; t < n.tokens; ++t) {
        for (std::size_t head = 0; head < n.heads; ++head) {
            attend(latentRow(attention, n, state, t, head),
                   std::span<S>(sums).subspan((t * n.heads + head) * n.valueDim(), n.valueDim()));
        }
    }
    return sums;
}

/// The input of the output projection [T, H·h_v].
template <class S>
std::vector<S> latentMixed(const LatentLoops& n,
                           const std::vector<S>& values,
                           const std::vector<S>& sums)
{
    if (!n.absorbed) {
        return sums;
    }
    std::vector<S> mixed(n.tokens * n.heads * n.value);
    valueAbsorption(n).run<S>(sums, values, mixed);
    return mixed;
}

} // namespace flopsmith::reference
