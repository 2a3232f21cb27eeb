// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/reference/ffn.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

namespace flopsmith::reference {

/// Loss(values) = Σ dy ⊙ FFN: how it changes with one value, by central differences. `loss` is
/// called with the value moved; the value is put back.
template <class Loss>
double slopeAt(double& value, double step, const Loss& loss)
{
    const double middle = value;
    value = middle + step;
    const double above = loss();
    value = middle - step;
    const double below = loss();
    value = middle;
    return (above - below) / (2 * step);
}

/// Fails if a gradient differs from its central difference. Of large tensors every n-th element
/// is tried, from the first, about `most` of them. `magnitude` is that of the terms whose sum is the
/// loss.
template <class Loss>
void expectSlopes(std::vector<double>& values,
                  const std::vector<double>& gradient,
                  const Loss& loss,
                  double magnitude,
                  const std::string& name,
                  std::size_t most)
{
    const std::size_t stride = std::max<std::size_t>(1, values.size() / most);
    for (std::size_t i = 0; i < values.size(); i += stride) {
        // The error of the difference is of order step² and of the loss's rounding over the step.
        const auto isSlope = [&](double slope, double step) {
            const double rounding = std::numeric_limits<double>::epsilon() * magnitude / step;
            return std::abs(gradient[i] - slope) <= 2e-6 * (1 + std::abs(slope)) + 4 * rounding;
        };
        const double slope = slopeAt(values[i], 1e-5, loss);
        if (!isSlope(slope, 1e-5)) {
            // A kink, or another choice of the largest, so close that only a small step avoids it?
            const double closer = slopeAt(values[i], 1e-7, loss);
            ASSERT_TRUE(isSlope(closer, 1e-7)) << name << ", element " << i << ": " << gradient[i]
                                               << ", not " << slope << " or " << closer;
        }
    }
}

/// The same for x and all weights; `loss` reads them. As many elements are tried in all, whether the
/// weights are a few tensors or those of many experts.
template <class Loss>
void expectAllSlopes(std::vector<double>& x,
                     const std::vector<double>& dx,
                     Weights<double>& weights,
                     const Weights<double>& gradients,
                     const WeightShapes& shapes,
                     const Loss& loss,
                     double magnitude = 1.0)
{
    const std::size_t most = std::clamp<std::size_t>(240 / (weights.size() + 1), 3, 24);
    ASSERT_NO_FATAL_FAILURE(expectSlopes(x, dx, loss, magnitude, "x", 24));
    for (std::size_t i = 0; i < weights.size(); ++i) {
        ASSERT_NO_FATAL_FAILURE(
            expectSlopes(weights[i], gradients[i], loss, magnitude, shapes[i].name, most));
    }
}

/// Fails if dx or the gradient of a weight is not what central differences in double give.
template <class Spec>
void expectGradients(const Spec& ffn, const Shape& shape)
{
    const WeightShapes shapes = flopsmith::weights(ffn, shape.dModel);
    auto weights = randomWeights<double>(shapes, 11);
    auto x = randomActivations<double>(shape.activations(), 12);
    const auto dy = randomActivations<double>(shape.activations(), 13);
    std::vector<double> dx(x.size(), -1.0);
    auto gradients = zeros<double>(shapes);
    backward<double>(ffn, shape, weights, x, dy, dx, gradients);

    std::vector<double> y(x.size());
    Shape training = shape;
    training.training = true;
    const auto loss = [&] {
        forward<double>(ffn, training, weights, x, y);
        return std::inner_product(y.begin(), y.end(), dy.begin(), 0.0);
    };
    loss();
    const double magnitude = std::transform_reduce(
        y.begin(), y.end(), dy.begin(), 0.0, std::plus<>(), [](double a, double b) {
            return std::abs(a * b);
        });
    expectAllSlopes(x, dx, weights, gradients, shapes, loss, magnitude);
}

} // namespace flopsmith::reference
