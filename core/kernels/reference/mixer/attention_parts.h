// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/check.h"
#include "core/kernels/reference/clamp.h"
#include "core/kernels/reference/layer.h"
#include "core/kernels/shape.h"
#include "core/kernels/weights.h"
#include "core/mixer/attention.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

// Shared by the forward and the backward pass of attention.
namespace flopsmith::reference {

/// Loop sizes of attention.
struct Sizes
{
    std::size_t batch;
    std::size_t queries; ///< S
    std::size_t cached; ///< C − S
    std::size_t keys; ///< C
    std::size_t heads; ///< H
    std::size_t groupSize; ///< H/G: query heads per KV head
    std::size_t headDim; ///< h
    std::size_t rotated; ///< features of a head that RoPE rotates
    std::size_t kvWidth; ///< G·h
    std::size_t queryWidth; ///< H·h
    double scoreFactor; ///< of scaled scores
    Rope rope;

    Sizes(const Attention& a, const Shape& shape)
        : batch(static_cast<std::size_t>(shape.batch))
        , queries(static_cast<std::size_t>(shape.sequence))
        , cached(static_cast<std::size_t>(shape.context - shape.sequence))
        , keys(static_cast<std::size_t>(shape.context))
        , heads(static_cast<std::size_t>(a.heads))
        , groupSize(heads / static_cast<std::size_t>(a.kvHeads))
        , headDim(static_cast<std::size_t>(a.headDimFor(shape.dModel)))
        , rotated(static_cast<std::size_t>(a.rotaryFeatures(shape.dModel)))
        , kvWidth(static_cast<std::size_t>(a.kvHeads) * headDim)
        , queryWidth(heads * headDim)
        , scoreFactor(a.scoreFactor(static_cast<int>(headDim)))
        , rope(a.rope)
    {
        FLOPSMITH_CHECK(shape.sequence >= 1 && shape.context >= shape.sequence);
    }

    std::size_t tokens() const { return batch * queries; }
    std::size_t rowWidth() const { return queryWidth + 2 * kvWidth; }
};

enum class Rotation { forward, back };

/// Rotates features of one head at a position, or rotates them back: 2 multiplications and 1 addition
/// each. Cosines and sines come from a table, so they are not counted.
template <class S>
void rotate(std::span<S> head, int position, const Rope& rope, Rotation rotation)
{
    const std::size_t half = head.size() / 2;
    for (std::size_t i = 0; i < half; ++i) {
        const double angle =
            rotaryAngle(position, static_cast<int>(i), static_cast<int>(head.size()), rope);
        const double sign = rotation == Rotation::forward ? 1.0 : -1.0;
        const auto cosine = static_cast<S>(rope.amplitude * std::cos(angle));
        const auto sine = static_cast<S>(rope.amplitude * sign * std::sin(angle));
        const S first = head[i];
        const S second = head[i + half];
        head[i] = first * cosine - second * sine;
        head[i + half] = second * cosine + first * sine;
    }
}

/// Rotates queries and new keys, the first two parts of each row q | k | v.
template <class S>
void rotateAll(const Sizes& n, std::span<S> qkv, Rotation rotation = Rotation::forward)
{
    for (std::size_t t = 0; t < n.tokens(); ++t) {
        const auto position = static_cast<int>(n.cached + t % n.queries);
        const auto heads = qkv.subspan(t * n.rowWidth(), n.queryWidth + n.kvWidth);
        for (std::size_t i = 0; i < heads.size(); i += n.headDim) {
            rotate(heads.subspan(i, n.rotated), position, n.rope, rotation);
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
    const auto context = static_cast<int>(n.keys);
    const auto back = static_cast<std::size_t>(attention.reachBack(context));
    const auto forward = static_cast<std::size_t>(attention.reachForward(context));
    return {position < back ? 0 : position - back, std::min(n.keys, position + forward + 1)};
}

/// 1/√h, or the attention's own factor.
template <class S>
S scoreScale(const Sizes& n)
{
    return static_cast<S>(n.scoreFactor);
}

/// Columns of the rows q | k | v that one norm reads, and the index of its first tensor.
struct QkPart
{
    std::size_t column;
    std::size_t width;
    std::size_t tensors;
};

/// Queries and keys; empty without QK-norm.
inline std::vector<QkPart> normalisedParts(const Attention& attention, const Sizes& n)
{
    const AttentionTensors tensors(attention);
    return !attention.normalisesQk()
        ? std::vector<QkPart>{}
        : std::vector<QkPart>{{0, n.queryWidth, tensors.qNorm},
                              {n.queryWidth, n.kvWidth, tensors.kNorm}};
}

/// The shape of the rows that a part's norm reads: heads, or tokens.
inline Shape normShape(const Attention& attention, const Sizes& n, const QkPart& part)
{
    const std::size_t features = attention.qkNorm == QkNorm::perHead ? n.headDim : part.width;
    const auto rows = static_cast<int>(n.tokens() * part.width / features);
    return {.batch = 1, .sequence = rows, .context = rows, .dModel = static_cast<int>(features)};
}

/// Gathers the part of every token into contiguous rows.
template <class S>
std::vector<S> gathered(const Sizes& n, const QkPart& part, std::span<const S> qkv)
{
    std::vector<S> all;
    for (std::size_t t = 0; t < n.tokens(); ++t) {
        const auto row = qkv.subspan(t * n.rowWidth() + part.column, part.width);
        all.insert(all.end(), row.begin(), row.end());
    }
    return all;
}

template <class S>
void scatter(const Sizes& n, const QkPart& part, std::span<const S> all, std::span<S> qkv)
{
    for (std::size_t t = 0; t < n.tokens(); ++t) {
        const auto row = all.subspan(t * part.width, part.width);
        std::copy(row.begin(), row.end(), qkv.data() + t * n.rowWidth() + part.column);
    }
}

template <class S>
void normaliseQk(const Attention& attention,
                 const Sizes& n,
                 WeightView<S> weights,
                 std::span<S> qkv)
{
    for (const QkPart& part : normalisedParts(attention, n)) {
        const std::vector<S> from = gathered<S>(n, part, qkv);
        std::vector<S> to(from.size());
        forward<S>(attention.queryKeyNorm(),
                   normShape(attention, n, part),
                   weights.subspan(part.tensors),
                   from,
                   to);
        scatter<S>(n, part, to, qkv);
    }
}

/// Turns the gradients of queries and keys into those before the norm, in place, and adds those of
/// the norms' weights. `qkv` is the output of the projection.
template <class S>
void normaliseQkBackward(const Attention& attention,
                         const Sizes& n,
                         WeightView<S> weights,
                         std::span<const S> qkv,
                         std::span<S> dQkv,
                         GradientView<S> gradients)
{
    for (const QkPart& part : normalisedParts(attention, n)) {
        const std::vector<S> from = gathered<S>(n, part, qkv);
        const std::vector<S> dTo = gathered<S>(n, part, dQkv);
        std::vector<S> dFrom(from.size());
        backward<S>(attention.queryKeyNorm(),
                    normShape(attention, n, part),
                    weights.subspan(part.tensors),
                    from,
                    dTo,
                    dFrom,
                    gradients.subspan(part.tensors));
        scatter<S>(n, part, dFrom, dQkv);
    }
}

/// Rows q | k | v, their queries and keys normalised, within the limit if there is one.
template <class S>
void limitQkv(const Attention& attention, std::span<S> qkv)
{
    if (attention.limitsQkv()) {
        for (S& value : qkv) {
            value = within(value, attention.qkvLimit);
        }
    }
}

/// Turns the gradients of those rows into those before the limit, in place; `before` are the rows
/// without the limit.
template <class S>
void limitQkvBackward(const Attention& attention, std::span<const S> before, std::span<S> dQkv)
{
    if (attention.limitsQkv()) {
        for (std::size_t i = 0; i < dQkv.size(); ++i) {
            dQkv[i] = withinBackward(before[i], dQkv[i], attention.qkvLimit);
        }
    }
}

/// A tensor of the list, or null where it is absent.
template <class Tensors>
auto presentOrNull(const Tensors& tensors, std::size_t place)
{
    return place == 0 ? nullptr : &tensors[place];
}

/// Norm of rows of a width other than d_model.
inline Shape rowsOfWidth(std::size_t rows, std::size_t width)
{
    const auto count = static_cast<int>(rows);
    return {.batch = 1, .sequence = count, .context = count, .dModel = static_cast<int>(width)};
}

} // namespace flopsmith::reference
