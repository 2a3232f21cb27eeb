// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/reference/ffn.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace flopsmith::reference {

/// Loss(values) = Σ dy ⊙ FFN: how it changes with one value, by central differences. `loss` is
/// called with the value moved; the value is put back.
template <class Loss>
double slopeAt(double& value, const Loss& loss)
{
    constexpr double kStep = 1e-5;
    const double middle = value;
    value = middle + kStep;
    const double above = loss();
    value = middle - kStep;
    const double below = loss();
    value = middle;
    return (above - below) / (2 * kStep);
}

/// Fails if a gradient differs from its central difference. Of large tensors every n-th element
/// is tried, from the first.
template <class Loss>
void expectSlopes(std::vector<double>& values,
                  const std::vector<double>& gradient,
                  const Loss& loss,
                  const std::string& name)
{
    constexpr std::size_t kMost = 24;
    const std::size_t step = std::max<std::size_t>(1, values.size() / kMost);
    for (std::size_t i = 0; i < values.size(); i += step) {
        const double slope = slopeAt(values[i], loss);
        // The error of the difference is of order step² + ε/step.
        ASSERT_NEAR(gradient[i], slope, 2e-6 * (1 + std::abs(slope))) << name << ", element " << i;
    }
}

/// The same for x and all weights; `loss` reads them.
template <class Loss>
void expectAllSlopes(std::vector<double>& x,
                     const std::vector<double>& dx,
                     Weights<double>& weights,
                     const Weights<double>& gradients,
                     const WeightShapes& shapes,
                     const Loss& loss)
{
    ASSERT_NO_FATAL_FAILURE(expectSlopes(x, dx, loss, "x"));
    for (std::size_t i = 0; i < weights.size(); ++i) {
        ASSERT_NO_FATAL_FAILURE(expectSlopes(weights[i], gradients[i], loss, shapes[i].name));
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
    const auto loss = [&] {
        forward<double>(ffn, shape, weights, x, y);
        return std::inner_product(y.begin(), y.end(), dy.begin(), 0.0);
    };
    expectAllSlopes(x, dx, weights, gradients, shapes, loss);
}

} // namespace flopsmith::reference
