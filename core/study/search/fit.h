// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <optional>
#include <span>

namespace flopsmith {

/// y ≈ coefficient · x^exponent: a straight line on a log–log chart, whose slope is the exponent.
struct PowerLaw
{
    double exponent = 0;
    double coefficient = 1;
    /// Standard error of the exponent; needs three points.
    std::optional<double> exponentError{};
    int points = 0; ///< that were used

    double at(double x) const;
};

/// Ordinary least squares of log y over log x:
///   slope = Σ(u−ū)(v−v̄) / Σ(u−ū)²,  u = ln x, v = ln y
///   standard error = sqrt(Σ residual² / (n − 2) / Σ(u−ū)²)
/// Points with an x or y that is not a finite number above 0 have no logarithm and are left out;
/// at least two with different x must remain. x and y have the same length.
Result<PowerLaw> fitPowerLaw(std::span<const double> x, std::span<const double> y);

} // namespace flopsmith
