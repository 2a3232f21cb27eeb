// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace flopsmith {

enum class Decay {
    linear, ///< constant, then a straight line to 0 in the last part: warm-up, stable, cool-down
    cosine, ///< half a cosine from the end of the warm-up to `floor`
};

/// The learning rate's factor at each step of a run whose length is known.
struct Schedule
{
    std::int64_t steps = 500;
    std::int64_t warmup = 50; ///< steps in which the factor grows from 1/warmup to 1
    Decay decay = Decay::linear;
    double cooldown = 0.2; ///< share of the steps at the end; linear only
    double floor = 0.01; ///< the last factor; cosine only

    /// For steps from 1 on; after the end the factor of the last step. In the linear kind's last c
    /// steps the k-th has (c − k + 1)/(c + 1), so that each of them has an effect.
    double factor(std::int64_t step) const;

    /// Steps of the cool-down.
    std::int64_t cooldownSteps() const;

    bool operator==(const Schedule&) const = default;
};

} // namespace flopsmith
