// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/random.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace flopsmith {

/// A measured value over a parameter: a time, with the standard error of its median.
struct MeasuredSample
{
    double x = 0.0;
    double y = 0.0; ///< above 0
    double standardError = 0.0; ///< of y
};

/// Where one measured curve falls below another and stays below.
struct Crossover
{
    enum class Kind {
        never, ///< the first curve is not below the second at the largest x
        always, ///< it is below at every x
        from, ///< it is below from `x` on
    };
    Kind kind = Kind::never;
    double x = 0.0; ///< with Kind::from
    /// The 95 % interval of x; an end beyond the measured range is absent.
    std::optional<double> low{};
    std::optional<double> high{};
};

/// ln of first over second at each x, as measured or, with `random`, with drawn errors.
using LogRatios = std::function<std::vector<double>(Random* random)>;

inline constexpr int kResamples = 1000;

/// The x from which on the ratio is below 1, interpolated between the last x at which it is not and
/// the next: where the straight line through its logarithm over ln x (over x if some x is not
/// positive) crosses 0. The interval is a bootstrap of `resamples` draws, reproducible by its seed.
/// x ascends; nothing with fewer than two.
std::optional<Crossover> crossover(std::span<const double> x,
                                   const LogRatios& ratios,
                                   std::uint64_t seed = 1,
                                   int resamples = kResamples);

/// The same for two curves with independent errors: each ln y gets a normal error with deviation
/// standardError / y. Samples ascend in x; x that only one curve has are skipped.
std::optional<Crossover> crossover(std::span<const MeasuredSample> first,
                                   std::span<const MeasuredSample> second,
                                   std::uint64_t seed = 1,
                                   int resamples = kResamples);

} // namespace flopsmith
