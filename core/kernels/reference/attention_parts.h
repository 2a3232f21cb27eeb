// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/check.h"
#include "core/kernels/shape.h"
#include "core/mixer/attention.h"

#include <cmath>
#include <cstddef>
#include <span>

// What attention's forward and backward pass share.
namespace flopsmith::reference {

/// The sizes of attention's loops.
struct Sizes
{
    std::size_t batch;
    std::size_t queries; ///< S
    std::size_t cached; ///< C − S
    std::size_t keys; ///< C
    std::size_t heads; ///< H
    std::size_t sharers; ///< H/G: query heads per key head
    std::size_t headDim; ///< h
    std::size_t kvWidth; ///< G·h
    std::size_t queryWidth; ///< H·h

    Sizes(const Attention& a, const Shape& shape)
        : batch(static_cast<std::size_t>(shape.batch))
        , queries(static_cast<std::size_t>(shape.sequence))
        , cached(static_cast<std::size_t>(shape.context - shape.sequence))
        , keys(static_cast<std::size_t>(shape.context))
        , heads(static_cast<std::size_t>(a.heads))
        , sharers(heads / static_cast<std::size_t>(a.kvHeads))
        , headDim(static_cast<std::size_t>(a.headDimFor(shape.dModel)))
        , kvWidth(static_cast<std::size_t>(a.kvHeads) * headDim)
        , queryWidth(heads * headDim)
    {
        FLOPSMITH_CHECK(shape.sequence >= 1 && shape.context >= shape.sequence);
    }

    std::size_t rowWidth() const { return queryWidth + 2 * kvWidth; }
};

enum class Turn { forward, back };

/// Turns one head at a position, or turns it back: 2 multiplications and 1 addition per feature.
/// Cosines and sines come from a table, so they are not counted.
template <class S>
void rotate(std::span<S> head, int position, Turn turn)
{
    const std::size_t half = head.size() / 2;
    for (std::size_t i = 0; i < half; ++i) {
        const double angle =
            rotaryAngle(position, static_cast<int>(i), static_cast<int>(head.size()));
        const auto cosine = static_cast<S>(std::cos(angle));
        const auto sine =
            static_cast<S>(turn == Turn::forward ? std::sin(angle) : -std::sin(angle));
        const S first = head[i];
        const S second = head[i + half];
        head[i] = first * cosine - second * sine;
        head[i + half] = second * cosine + first * sine;
    }
}

/// Queries and new keys, which stand first in each row q | k | v.
template <class S>
void rotateAll(const Sizes& n, std::span<S> qkv, Turn turn = Turn::forward)
{
    for (std::size_t t = 0; t < n.batch * n.queries; ++t) {
        const auto position = static_cast<int>(n.cached + t % n.queries);
        const auto turned = qkv.subspan(t * n.rowWidth(), n.queryWidth + n.kvWidth);
        for (std::size_t i = 0; i < turned.size(); i += n.headDim) {
            rotate(turned.subspan(i, n.headDim), position, turn);
        }
    }
}

/// Keys [first, last) that the query at a position sees.
struct Visible
{
    std::size_t first;
    std::size_t last;
};

inline Visible visibleTo(const Attention& attention, const Sizes& n, std::size_t position)
{
    if (!attention.causal) {
        return {0, n.keys};
    }
    const auto window = static_cast<std::size_t>(attention.window);
    const std::size_t last = position + 1;
    return {window == 0 || last <= window ? 0 : last - window, last};
}

/// 1/√h
template <class S>
S scoreScale(const Sizes& n)
{
    return static_cast<S>(1.0 / std::sqrt(static_cast<double>(n.headDim)));
}

/// Which of the weight tensors is which; an absent bias is null.
template <class S>
struct AttentionTensors
{
    S* qkv;
    S* qkvBias = nullptr;
    S* out;
    S* outBias = nullptr;

    template <class Tensors>
    AttentionTensors(const Attention& attention, Tensors tensors)
    {
        std::size_t next = 0;
        qkv = &tensors[next++];
        qkvBias = attention.qkvBias ? &tensors[next++] : nullptr;
        out = &tensors[next++];
        outBias = attention.outBias ? &tensors[next] : nullptr;
    }
};

} // namespace flopsmith::reference
