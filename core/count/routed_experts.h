// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace flopsmith {

/// How many of a layer's E experts have their weights read when each of T tokens goes to k of them.
/// The choice depends on the tokens, so only bounds and an expectation are known.
struct RoutedExperts
{
    int experts = 0; ///< E; 0: an operation of no routed expert
    int perToken = 0; ///< k
    std::int64_t tokens = 0; ///< T

    bool operator==(const RoutedExperts&) const = default;

    bool any() const { return experts > 0; }

    /// All tokens go to the same experts.
    int min() const { return perToken; }

    /// Every token goes to different experts, as long as there are enough.
    std::int64_t max() const { return std::min<std::int64_t>(experts, tokens * perToken); }

    /// Every token goes to each expert with the same probability, independently of the others:
    /// E·(1 − (1 − k/E)^T).
    double expected() const
    {
        const double missed = 1.0 - static_cast<double>(perToken) / experts;
        return experts * (1.0 - std::pow(missed, static_cast<double>(tokens)));
    }
};

} // namespace flopsmith
