// SPDX-License-Identifier: MIT
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/linear.h"
#include "core/kernels/reference/mixer.h"
#include "core/kernels/reference/mixer/attention_parts.h"
#include "core/kernels/reference/mixer/attention_scores.h"
#include "core/kernels/reference/softmax.h"

namespace flopsmith::reference {
namespace {

// [batch, C, G·h]: cached rows, then the columns at `offset` of the rows q | k | v.
template <class S>
std::vector<S> joined(const Sizes& n,
                      std::span<const S> cached,
                      std::span<const S> qkv,
                      std::size_t offset)
{
    std::vector<S> all;
    for (std::size_t b = 0; b < n.batch; ++b) {
        const auto old = cached.subspan(b * n.cached * n.kvWidth, n.cached * n.kvWidth);
        all.insert(all.end(), old.begin(), old.end());
        for (std::size_t i = 0; i < n.queries; ++i) {
            const std::size_t row = (b * n.queries + i) * n.rowWidth();
            const auto fresh = qkv.subspan(row + offset, n.kvWidth);
            all.insert(all.end(), fresh.begin(), fresh.end());
        }
    }
    return all;
}

// One query head: softmax of its scores times values. `keys` and `values` begin at the head's
// features of the sequence's first key; the stride between keys is G·h elements.
template <class S>
void attend(const LogitRow<S>& row,
            const Visible& visible,
            std::span<const S> query,
            std::span<const S> keys,
            std::span<const S> values,
            std::span<S> out)
{
    const Sizes& n = row.n;
    std::vector<S> weights;
    std::vector<S> tanhs;
    for (std::size_t j = visible.first; j < visible.last; ++j) {
        weights.push_back(dot<S>(query, keys.subspan(j * n.kvWidth, n.headDim)));
    }
    row.finish(weights, tanhs);
    softmax<S>(weights, row.sink());
    for (std::size_t j = visible.first; j < visible.last; ++j) {
        const S weight = weights[j - visible.first];
        for (std::size_t c = 0; c < n.headDim; ++c) {
            const S term = weight * values[j * n.kvWidth + c];
            out[c] = j == visible.first ? term : out[c] + term;
        }
    }
}

} // namespace

std::size_t cachedElements(const Attention& attention, const Shape& shape)
{
    const Sizes n(attention, shape);
    return n.batch * n.cached * n.kvWidth;
}

template <class S>
void forward(const Attention& attention,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<const S> cachedKeys,
             std::span<const S> cachedValues,
             std::span<S> y)
{
    const Sizes n(attention, shape);
    FLOPSMITH_CHECK(cachedKeys.size() == cachedElements(attention, shape));
    FLOPSMITH_CHECK(cachedValues.size() == cachedKeys.size());
    const AttentionTensors places(attention);

    std::vector<S> qkv(shape.tokens() * n.rowWidth());
    linear<S>(shape.tokens(), x, weights[places.qkv], presentOrNull(weights, places.qkvBias), qkv);
    normaliseQk<S>(attention, n, weights, qkv);
    limitQkv<S>(attention, qkv);
    if (attention.rotary) {
        rotateAll<S>(n, qkv);
    }
    const std::vector<S> keys = joined<S>(n, cachedKeys, qkv, n.queryWidth);
    const std::vector<S> values = joined<S>(n, cachedValues, qkv, n.queryWidth + n.kvWidth);

    std::vector<S> mixed(shape.tokens() * n.queryWidth);
    for (std::size_t t = 0; t < shape.tokens(); ++t) {
        const std::size_t position = n.cached + t % n.queries;
        const Visible visible = visibleTo(attention, n, position);
        const std::size_t sequence = t / n.queries * n.keys * n.kvWidth;
        for (std::size_t head = 0; head < n.heads; ++head) {
            const std::size_t kvStart = sequence + head / n.groupSize * n.headDim;
            attend<S>(
                {attention, n, weights, head, position, visible.first},
                visible,
                std::span<const S>(qkv).subspan(t * n.rowWidth() + head * n.headDim, n.headDim),
                std::span<const S>(keys).subspan(kvStart),
                std::span<const S>(values).subspan(kvStart),
                std::span<S>(mixed).subspan(t * n.queryWidth + head * n.headDim, n.headDim));
        }
    }
    linear<S>(
        shape.tokens(), mixed, weights[places.out], presentOrNull(weights, places.outBias), y);
}

FLOPSMITH_INSTANTIATE_MIXER(Attention)

} // namespace flopsmith::reference
