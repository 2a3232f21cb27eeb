// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

namespace flopsmith {

/// The 97.5 % quantile of Student's t distribution for a number of degrees of freedom, at least 1.
double studentQuantile(int degrees);

/// A mean and half of its 95 % interval: t·s/√n.
struct MeanInterval
{
    double mean = 0.0;
    double halfWidth = 0.0; ///< infinite for fewer than two numbers
    int count = 0;

    /// Whether the interval lies on one side of 0.
    bool excludesZero() const { return mean - halfWidth > 0.0 || mean + halfWidth < 0.0; }

    bool operator==(const MeanInterval&) const = default;
};

MeanInterval meanInterval(std::span<const double> values);

/// What pairs of numbers differ by: the interval of a − b, and how many differences have which sign.
struct PairedDifference
{
    MeanInterval interval;
    int positive = 0;
    int negative = 0;

    bool operator==(const PairedDifference&) const = default;
};

/// Of lists of one length.
PairedDifference pairedDifference(std::span<const double> a, std::span<const double> b);

} // namespace flopsmith
