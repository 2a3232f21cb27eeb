// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/random.h"
#include "core/layer/weight_shape.h"

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace flopsmith {

/// Weight values in the order of a layer's WeightShapes, each row-major.
template <class S>
using Weights = std::vector<std::vector<S>>;

/// A view of consecutive tensors of a Weights, so that a stage of a composed FFN gets its own.
template <class S>
using WeightView = std::span<const std::vector<S>>;

/// Destinations of the gradients of consecutive tensors.
template <class S>
using GradientView = std::span<std::vector<S>>;

/// One tensor of zeros for each shape.
template <class S>
Weights<S> zeros(const WeightShapes& shapes)
{
    Weights<S> tensors;
    tensors.reserve(shapes.size());
    for (const WeightShape& shape : shapes) {
        tensors.emplace_back(static_cast<std::size_t>(shape.size()), S(0));
    }
    return tensors;
}

/// Values drawn from `seed` by each shape's Init. They are drawn as float, so that every scalar
/// type and every back end starts from exactly the same numbers.
template <class S>
Weights<S> randomWeights(const WeightShapes& shapes, std::uint64_t seed)
{
    Weights<S> weights;
    weights.reserve(shapes.size());
    for (const WeightShape& shape : shapes) {
        Random random(seed++);
        const double deviation =
            shape.init == Init::normal ? 1.0 / std::sqrt(static_cast<double>(shape.rows)) : 0.1;
        std::vector<S> tensor;
        tensor.reserve(static_cast<std::size_t>(shape.size()));
        for (std::int64_t i = 0; i < shape.size(); ++i) {
            const double base = shape.init == Init::ones ? 1.0 : 0.0;
            const double drawn = shape.init == Init::zeros ? 0.0 : deviation * random.normal();
            const double value = shape.columnScale(i % shape.columns) * (base + drawn);
            tensor.push_back(static_cast<S>(static_cast<float>(value)));
        }
        weights.push_back(std::move(tensor));
    }
    return weights;
}

/// `count` activations of about unit size, drawn as float.
template <class S>
std::vector<S> randomActivations(std::size_t count, std::uint64_t seed)
{
    Random random(seed);
    std::vector<S> values;
    values.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        values.push_back(static_cast<S>(static_cast<float>(random.normal())));
    }
    return values;
}

} // namespace flopsmith
