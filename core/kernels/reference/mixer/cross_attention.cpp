// SPDX-License-Identifier: MIT
#include "core/mixer/cross_attention.h"

#include "core/kernels/mixer_operands.h"
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/linear.h"
#include "core/kernels/reference/mixer.h"
#include "core/kernels/reference/mixer/score_row.h"

namespace flopsmith::reference {
namespace {

// Loop sizes and layouts: queries [T, H·h]; in prefill keys and values as k | v [B·S_src, 2G·h],
// from the cache [B·S_src, G·h] each.
struct CrossSizes
{
    std::size_t tokens;
    std::size_t queries; ///< S
    std::size_t source; ///< S_src
    std::size_t sourceRows; ///< B · S_src
    std::size_t heads;
    std::size_t groupSize;
    std::size_t headDim;
    std::size_t queryWidth;
    std::size_t keyWidth;
    std::size_t x; ///< elements of x [T, d], which precede the source's
    bool decodes;

    CrossSizes(const CrossAttention& a, const Shape& shape)
        : tokens(shape.tokens())
        , queries(static_cast<std::size_t>(shape.sequence))
        , source(shape.sourceTokens() / static_cast<std::size_t>(shape.batch))
        , sourceRows(shape.sourceTokens())
        , heads(static_cast<std::size_t>(a.heads))
        , groupSize(heads / static_cast<std::size_t>(a.kvHeads))
        , headDim(static_cast<std::size_t>(a.headDimFor(shape.dModel)))
        , queryWidth(heads * headDim)
        , keyWidth(queryWidth / groupSize)
        , x(shape.activations())
        , decodes(shape.context > shape.sequence)
    {}

    std::size_t keyStride() const { return decodes ? keyWidth : 2 * keyWidth; }
};

// Keys and values of the whole source, and the queries.
template <class S>
struct Projected
{
    std::vector<S> q;
    std::vector<S> kv; ///< empty in decode
    std::span<const S> keys;
    std::span<const S> values;
};

template <class S>
Projected<S> projected(const CrossSizes& n,
                       const CrossTensors& at,
                       WeightView<S> w,
                       std::span<const S> x,
                       std::span<const S> cachedKeys,
                       std::span<const S> cachedValues)
{
    Projected<S> p;
    p.q.resize(n.tokens * n.queryWidth);
    linear<S>(n.tokens, x.first(n.x), w[at.q], tensorAt(w, at.qBias), p.q);
    if (n.decodes) {
        p.keys = cachedKeys;
        p.values = cachedValues;
        return p;
    }
    p.kv.resize(n.sourceRows * 2 * n.keyWidth);
    linear<S>(n.sourceRows, x.subspan(n.x), w[at.kv], tensorAt(w, at.kvBias), p.kv);
    p.keys = p.kv;
    p.values = std::span<const S>(p.kv).subspan(n.keyWidth);
    return p;
}

template <class S>
ScoreRow<S> rowOf(const CrossAttention& attention,
                  const CrossSizes& n,
                  const Projected<S>& p,
                  std::size_t token,
                  std::size_t head)
{
    const std::size_t first =
        token / n.queries * n.source * n.keyStride() + head / n.groupSize * n.headDim;
    const HeadFeatures at = ownFeatures(first, n.keyStride(), n.headDim);
    ScoreRow<S> row{.query = std::span<const S>(p.q).subspan(
                        token * n.queryWidth + head * n.headDim, n.headDim),
                    .keys = p.keys,
                    .keyAt = at,
                    .values = p.values,
                    .valueAt = at,
                    .visible = n.source};
    if (attention.scaleScores) {
        row.scale = static_cast<S>(1.0 / std::sqrt(static_cast<double>(n.headDim)));
    }
    return row;
}

template <class S>
std::vector<S> crossMixedValues(const CrossAttention& attention,
                                const CrossSizes& n,
                                const Projected<S>& p)
{
    std::vector<S> mixed(p.q.size());
    for (std::size_t t = 0; t < n.tokens; ++t) {
        for (std::size_t head = 0; head < n.heads; ++head) {
            attend(rowOf(attention, n, p, t, head),
                   std::span<S>(mixed).subspan(t * n.queryWidth + head * n.headDim, n.headDim));
        }
    }
    return mixed;
}

// From the gradient of the output projection's input to those of q and of k | v.
template <class S>
void crossCoreBackward(const CrossAttention& attention,
                       const CrossSizes& n,
                       const Projected<S>& p,
                       const std::vector<S>& mixed,
                       const std::vector<S>& dMixed,
                       std::span<S> dQ,
                       std::span<S> dKv)
{
    const bool materialised = attention.algorithm == AttentionAlgorithm::materialised;
    for (std::size_t t = 0; t < n.tokens; ++t) {
        for (std::size_t head = 0; head < n.heads; ++head) {
            const std::size_t first = t * n.queryWidth + head * n.headDim;
            const bool leads = t % n.queries == 0 && head % n.groupSize == 0;
            const auto begins = [leads](std::size_t) { return leads; };
            const ScoreRowGradient<S, decltype(begins), decltype(begins)> gradient{
                dQ.subspan(first, n.headDim), dKv, dKv.subspan(n.keyWidth), begins, begins};
            attendBackward(rowOf(attention, n, p, t, head),
                           materialised,
                           std::span<const S>(mixed).subspan(first, n.headDim),
                           std::span<const S>(dMixed).subspan(first, n.headDim),
                           gradient);
        }
    }
}

} // namespace

template <class S>
void forward(const CrossAttention& attention,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<const S> cachedKeys,
             std::span<const S> cachedValues,
             std::span<S> y)
{
    const CrossSizes n(attention, shape);
    const CrossTensors at(attention);
    const Projected<S> p = projected<S>(n, at, weights, x, cachedKeys, cachedValues);
    const std::vector<S> mixed = crossMixedValues<S>(attention, n, p);
    linear<S>(n.tokens, mixed, weights[at.out], tensorAt(weights, at.outBias), y);
}

template <class S>
void backward(const CrossAttention& attention,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> x,
              std::span<const S> dy,
              std::span<S> dx,
              GradientView<S> gradients)
{
    const CrossSizes n(attention, shape);
    const CrossTensors at(attention);
    Projected<S> p;
    std::vector<S> mixed;
    {
        const Uncounted scope;
        p = projected<S>(n, at, weights, x, {}, {});
        mixed = crossMixedValues<S>(attention, n, p);
    }
    std::vector<S> dMixed(mixed.size());
    linearBackward<S>(n.tokens,
                      mixed,
                      weights[at.out],
                      dy,
                      dMixed,
                      gradients[at.out],
                      tensorAt(gradients, at.outBias));
    std::vector<S> dQ(p.q.size());
    std::vector<S> dKv(p.kv.size());
    crossCoreBackward<S>(attention, n, p, mixed, dMixed, dQ, dKv);
    linearBackward<S>(n.tokens,
                      x.first(n.x),
                      weights[at.q],
                      dQ,
                      dx.first(n.x),
                      gradients[at.q],
                      tensorAt(gradients, at.qBias));
    linearBackward<S>(n.sourceRows,
                      x.subspan(n.x),
                      weights[at.kv],
                      dKv,
                      dx.subspan(n.x),
                      gradients[at.kv],
                      tensorAt(gradients, at.kvBias));
}

FLOPSMITH_INSTANTIATE_MIXER(CrossAttention)
FLOPSMITH_INSTANTIATE_BACKWARD(CrossAttention)

} // namespace flopsmith::reference
