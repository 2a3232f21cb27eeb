// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/check.h"
#include "core/kernels/reference/counting_scalar.h"
#include "core/layer/optimizer.h"

#include <cmath>
#include <cstdint>
#include <span>

// The update of weights as optimizerCost() of core/layer/optimizer_cost.h counts it.
namespace flopsmith::reference {

/// Hyperparameters.
struct OptimizerSettings
{
    double learningRate = 1e-3; ///< η
    double momentum = 0.9; ///< μ
    double beta1 = 0.9;
    double beta2 = 0.999;
    double epsilon = 1e-8;
    std::int64_t step = 1; ///< from 1
};

/// Updates weights [n] from their gradients. `state` holds stateElements() running values per
/// weight, one array after the other, zero before the first step: v; or m, then v. (Mixed precision
/// keeps 32-bit copies of the weights here: `weights` is that copy, and its rounding is not
/// modelled.)
///
/// Adam's corrections of its bias are folded into one step size and ε, as Kingma and Ba 2015
/// (section 2) suggest.
template <class S>
void update(Optimizer optimizer,
            const OptimizerSettings& settings,
            std::span<const S> gradients,
            std::span<S> state,
            std::span<S> weights)
{
    using std::sqrt;
    const std::size_t n = weights.size();
    const auto time = static_cast<double>(settings.step);
    const double rootOfCorrection = std::sqrt(1.0 - std::pow(settings.beta2, time));
    const auto rate = static_cast<S>(settings.learningRate);
    const auto stepSize = static_cast<S>(settings.learningRate * rootOfCorrection
                                         / (1.0 - std::pow(settings.beta1, time)));
    const auto epsilon = static_cast<S>(settings.epsilon * rootOfCorrection);
    FLOPSMITH_CHECK(gradients.size() == n);
    for (std::size_t i = 0; i < n; ++i) {
        const S g = gradients[i];
        switch (optimizer) {
        case Optimizer::sgd: weights[i] = weights[i] - rate * g; break;
        case Optimizer::momentum: {
            S& v = state[i];
            v = S(settings.momentum) * v + g;
            weights[i] = weights[i] - rate * v;
            break;
        }
        case Optimizer::adam:
        case Optimizer::adamMixed: {
            S& m = state[i];
            S& v = state[n + i];
            m = S(settings.beta1) * m + S(1.0 - settings.beta1) * g;
            v = S(settings.beta2) * v + S(1.0 - settings.beta2) * (g * g);
            weights[i] = weights[i] - stepSize * m / (sqrt(v) + epsilon);
            break;
        }
        }
    }
}

} // namespace flopsmith::reference
