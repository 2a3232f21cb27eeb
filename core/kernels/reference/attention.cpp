// SPDX-License-Identifier: MIT
#include "core/base/check.h"
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/linear.h"
#include "core/kernels/reference/mixer.h"
#include "core/kernels/reference/softmax.h"

#include <algorithm>
#include <cmath>

namespace flopsmith::reference {
namespace {

struct Sizes
{
    std::size_t batch;
    std::size_t queries; ///< S
    std::size_t cached; ///< C − S
    std::size_t keys; ///< C
    std::size_t heads; ///< H
    std::size_t headDim; ///< h
    std::size_t kvWidth; ///< G·h
    std::size_t queryWidth; ///< H·h

    Sizes(const Attention& a, const Shape& shape)
        : batch(static_cast<std::size_t>(shape.batch))
        , queries(static_cast<std::size_t>(shape.sequence))
        , cached(static_cast<std::size_t>(shape.context - shape.sequence))
        , keys(static_cast<std::size_t>(shape.context))
        , heads(static_cast<std::size_t>(a.heads))
        , headDim(static_cast<std::size_t>(a.headDimFor(shape.dModel)))
        , kvWidth(static_cast<std::size_t>(a.kvHeads) * headDim)
        , queryWidth(heads * headDim)
    {
        FLOPSMITH_CHECK(shape.sequence >= 1 && shape.context >= shape.sequence);
    }

    std::size_t rowWidth() const { return queryWidth + 2 * kvWidth; }
};

// Turns one head at a position: 2 multiplications and 1 addition per feature. Cosines and sines
// come from a table, so they are not counted.
template <class S>
void rotate(std::span<S> head, int position)
{
    const std::size_t half = head.size() / 2;
    for (std::size_t i = 0; i < half; ++i) {
        const double angle =
            rotaryAngle(position, static_cast<int>(i), static_cast<int>(head.size()));
        const auto cosine = static_cast<S>(std::cos(angle));
        const auto sine = static_cast<S>(std::sin(angle));
        const S first = head[i];
        const S second = head[i + half];
        head[i] = first * cosine - second * sine;
        head[i + half] = second * cosine + first * sine;
    }
}

// Queries and new keys, which stand first in each row q | k | v.
template <class S>
void rotateAll(const Sizes& n, std::span<S> qkv)
{
    for (std::size_t t = 0; t < n.batch * n.queries; ++t) {
        const auto position = static_cast<int>(n.cached + t % n.queries);
        const auto turned = qkv.subspan(t * n.rowWidth(), n.queryWidth + n.kvWidth);
        for (std::size_t i = 0; i < turned.size(); i += n.headDim) {
            rotate(turned.subspan(i, n.headDim), position);
        }
    }
}

// [batch, C, G·h]: the cached ones, then those at `offset` of the rows q | k | v.
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

// Keys [first, last) that the query at a position sees.
struct Visible
{
    std::size_t first;
    std::size_t last;
};

Visible visibleTo(const Attention& attention, const Sizes& n, std::size_t position)
{
    if (!attention.causal) {
        return {0, n.keys};
    }
    const auto window = static_cast<std::size_t>(attention.window);
    const std::size_t last = position + 1;
    return {window == 0 || last <= window ? 0 : last - window, last};
}

// One query head: softmax(q·kᵀ/√h)·v. `keys` and `values` begin at the head's features of the
// sequence's first key; each further key stands G·h elements on.
template <class S>
void attend(const Sizes& n,
            const Visible& visible,
            std::span<const S> query,
            std::span<const S> keys,
            std::span<const S> values,
            std::span<S> out)
{
    const auto scale = static_cast<S>(1.0 / std::sqrt(static_cast<double>(n.headDim)));
    std::vector<S> weights;
    for (std::size_t j = visible.first; j < visible.last; ++j) {
        weights.push_back(dot<S>(query, keys.subspan(j * n.kvWidth, n.headDim)) * scale);
    }
    softmax<S>(weights);
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
    std::size_t next = 1;
    const std::vector<S>* qkvBias = attention.qkvBias ? &weights[next++] : nullptr;
    const std::vector<S>& outWeight = weights[next++];
    const std::vector<S>* outBias = attention.outBias ? &weights[next] : nullptr;

    std::vector<S> qkv(shape.tokens() * n.rowWidth());
    linear<S>(shape.tokens(), x, weights[0], qkvBias, qkv);
    if (attention.rotary) {
        rotateAll<S>(n, qkv);
    }
    const std::vector<S> keys = joined<S>(n, cachedKeys, qkv, n.queryWidth);
    const std::vector<S> values = joined<S>(n, cachedValues, qkv, n.queryWidth + n.kvWidth);

    std::vector<S> mixed(shape.tokens() * n.queryWidth);
    for (std::size_t t = 0; t < shape.tokens(); ++t) {
        const Visible visible = visibleTo(attention, n, n.cached + t % n.queries);
        const std::size_t sequence = t / n.queries * n.keys * n.kvWidth;
        for (std::size_t head = 0; head < n.heads; ++head) {
            const std::size_t sharers = n.heads / static_cast<std::size_t>(attention.kvHeads);
            const std::size_t kvStart = sequence + head / sharers * n.headDim;
            attend<S>(
                n,
                visible,
                std::span<const S>(qkv).subspan(t * n.rowWidth() + head * n.headDim, n.headDim),
                std::span<const S>(keys).subspan(kvStart),
                std::span<const S>(values).subspan(kvStart),
                std::span<S>(mixed).subspan(t * n.queryWidth + head * n.headDim, n.headDim));
        }
    }
    linear<S>(shape.tokens(), mixed, outWeight, outBias, y);
}

FLOPSMITH_INSTANTIATE_MIXER(Attention)

} // namespace flopsmith::reference
