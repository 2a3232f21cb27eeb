// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/random.h"
#include "core/base/result.h"
#include "core/kernels/weights.h"
#include "core/model/operation.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace flopsmith {

/// How tokens are drawn from logits.
struct Sampling
{
    int tokens = 200; ///< how many to draw
    double temperature = 0.8; ///< logits are divided by it; 0: always the largest
    int topK = 0; ///< among this many of the largest; 0: among all
    std::uint64_t seed = 1;
};

/// An Error for values that are out of bounds.
Status validatedSampling(const Sampling& sampling);

/// A token drawn by its logits. Among equal ones the first counts as larger.
int drawnToken(std::span<const double> logits, const Sampling& sampling, Random& random);

/// Continues a sequence by the reference kernels, token by token; each pass reads at most the last
/// `context` tokens. `take` gets every drawn token, and stops by returning false. Errors: an empty
/// sequence; a model without token logits; errors of planOf() and forward().
template <class S>
Status generate(const Scenario& scenario,
                const Weights<S>& weights,
                std::vector<int> tokens,
                int context,
                const Sampling& sampling,
                const std::function<bool(int token)>& take);

} // namespace flopsmith
