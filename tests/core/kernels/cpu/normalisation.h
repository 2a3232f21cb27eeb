// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/reference/layer.h"
#include "tests/support/embedding_cases.h"

#include <algorithm>
#include <cmath>
#include <vector>

// What an embedding's norm does to rounding errors: features that are nearly equal have next to no
// variance, and what rounding left of their differences becomes as large as a difference.
namespace flopsmith::cpu {

struct Normalisation
{
    double factor = 0; ///< the largest 1/sqrt(variance + epsilon) of a row
    double sums = 0; ///< the largest sum of a row times the row's factor

    /// The size of the terms whose rounding errors stay in a gradient before the norm,
    /// dx = (g - mean(g) - n*mean(g*n))*factor, of rows of `width` features: those of g, and of n,
    /// which has errors like `sums` and is at most the root of `width`.
    double gradients(double largestGradient, int width) const
    {
        return factor * largestGradient * (1 + 2 * sums * std::sqrt(static_cast<double>(width)));
    }
};

/// Of rows of that many features.
inline Normalisation normalisationOf(const Norm& norm,
                                     const std::vector<double>& rows,
                                     std::size_t width)
{
    Normalisation found;
    const auto n = static_cast<double>(width);
    for (std::size_t begin = 0; begin < rows.size(); begin += width) {
        double largest = 0;
        double sum = 0;
        double squares = 0;
        for (std::size_t i = begin; i < begin + width; ++i) {
            largest = std::max(largest, std::abs(rows[i]));
            sum += rows[i];
            squares += rows[i] * rows[i];
        }
        const double mean = norm.kind == NormKind::layerNorm ? sum / n : 0.0;
        const double factor = 1 / std::sqrt(squares / n - mean * mean + norm.epsilon);
        found.factor = std::max(found.factor, factor);
        found.sums = std::max(found.sums, largest * factor);
    }
    return found;
}

/// Of what the embedding with weights of that seed gives to its norm; nothing without a norm.
inline Normalisation normalisation(const Embedding& embedding,
                                   const Shape& shape,
                                   std::uint64_t seed)
{
    if (embedding.norm.kind == NormKind::none) {
        return {};
    }
    Embedding bare = embedding; // as far as the norm
    bare.norm = Norm::absent();
    Weights<double> w = randomWeights<double>(weights(embedding, shape.dModel), seed);
    const auto norm = w.begin() + embedding.tables();
    w.erase(norm, norm + static_cast<int>(weights(embedding.norm, 1).size()));
    Shape sumShape = shape;
    if (embedding.sumsBeforeProjection()) {
        sumShape.dModel = embedding.tableWidth(shape.dModel);
        bare.projection = Projection::none;
    }
    std::vector<double> sums(sumShape.activations());
    test::withInput<double>(embedding, shape, [&](const auto& input) {
        reference::forward<double>(bare, sumShape, w, input, sums);
    });
    return normalisationOf(embedding.norm, sums, static_cast<std::size_t>(sumShape.dModel));
}

} // namespace flopsmith::cpu
