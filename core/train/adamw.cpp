// SPDX-License-Identifier: MIT
#include "core/train/adamw.h"

#include "core/kernels/reference/counting_scalar.h"
#include "core/kernels/reference/layer/optimizer.h"

#include <vector>

namespace flopsmith {
namespace {

// Adam on every n-th element from `first` on.
template <class S>
void updateColumn(const reference::OptimizerSettings& settings,
                  std::size_t first,
                  std::size_t columns,
                  std::span<const S> gradient,
                  std::span<S> moments,
                  std::span<S> weights)
{
    const std::size_t rows = weights.size() / columns;
    std::vector<S> g(rows);
    std::vector<S> w(rows);
    std::vector<S> state(2 * rows);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t i = row * columns + first;
        g[row] = gradient[i];
        w[row] = weights[i];
        state[row] = moments[i];
        state[rows + row] = moments[weights.size() + i];
    }
    reference::update<S>(Optimizer::adam, settings, g, state, w);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t i = row * columns + first;
        weights[i] = w[row];
        moments[i] = state[row];
        moments[weights.size() + i] = state[rows + row];
    }
}

// Σ g² over the trainable tensors.
template <class S>
S squaredNorm(const WeightShapes& shapes, const Weights<S>& gradients)
{
    S sum(0);
    bool first = true;
    for (std::size_t i = 0; i < gradients.size(); ++i) {
        if (!shapes[i].trainable) {
            continue;
        }
        for (const S& g : gradients[i]) {
            const S square = g * g;
            sum = first ? square : sum + square;
            first = false;
        }
    }
    return sum;
}

} // namespace

template <class S>
void updateTensor(const AdamW& optimizer,
                  const TensorRecipe& recipe,
                  double rate,
                  std::int64_t step,
                  std::span<const S> gradient,
                  std::span<S> moments,
                  std::span<S> weights)
{
    reference::OptimizerSettings settings{.learningRate = rate * recipe.rate,
                                          .beta1 = optimizer.beta1,
                                          .beta2 = optimizer.beta2,
                                          .epsilon = optimizer.epsilon,
                                          .step = step};
    if (recipe.decays && optimizer.decay > 0.0) {
        const auto kept = static_cast<S>(1.0 - settings.learningRate * optimizer.decay);
        for (S& weight : weights) {
            weight = kept * weight;
        }
    }
    if (recipe.columns.empty()) {
        reference::update<S>(Optimizer::adam, settings, gradient, moments, weights);
        return;
    }
    const double tensorRate = settings.learningRate;
    for (std::size_t column = 0; column < recipe.columns.size(); ++column) {
        settings.learningRate = tensorRate * recipe.columns[column].rate;
        updateColumn<S>(settings, column, recipe.columns.size(), gradient, moments, weights);
    }
}

template <class S>
double gradientNorm(const WeightShapes& shapes, const Weights<S>& gradients)
{
    using std::sqrt;
    const reference::Uncounted notCounted;
    return reference::valueOf(sqrt(squaredNorm(shapes, gradients)));
}

template <class S>
double clipToNorm(const WeightShapes& shapes, double largest, Weights<S>& gradients)
{
    using std::sqrt;
    const S norm = sqrt(squaredNorm(shapes, gradients));
    const S ratio = S(largest) / (norm + S(1e-6));
    const S factor = ratio < S(1.0) ? ratio : S(1.0);
    for (std::size_t i = 0; i < gradients.size(); ++i) {
        if (shapes[i].trainable) {
            for (S& g : gradients[i]) {
                g = factor * g;
            }
        }
    }
    return reference::valueOf(norm);
}

#define FLOPSMITH_ADAMW_INSTANCE(S)                                                                \
    template void updateTensor<S>(const AdamW&,                                                    \
                                  const TensorRecipe&,                                             \
                                  double,                                                          \
                                  std::int64_t,                                                    \
                                  std::span<const S>,                                              \
                                  std::span<S>,                                                    \
                                  std::span<S>);                                                   \
    template double gradientNorm<S>(const WeightShapes&, const Weights<S>&);                       \
    template double clipToNorm<S>(const WeightShapes&, double, Weights<S>&);
FLOPSMITH_ADAMW_INSTANCE(float)
FLOPSMITH_ADAMW_INSTANCE(double)
FLOPSMITH_ADAMW_INSTANCE(reference::Counted)
#undef FLOPSMITH_ADAMW_INSTANCE

} // namespace flopsmith
