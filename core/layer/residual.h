// SPDX-License-Identifier: MIT
#pragma once

namespace flopsmith {

/// Default constant of a scaled residual.
inline constexpr double kResidualScale = 0.25;

/// Adds branches to the residual stream: x + f, or x + f + g where mixer and FFN are parallel.
/// `scale` multiplies f (or f + g) by a constant first: Granite's residual multiplier.
struct Residual
{
    int branches = 1; ///< 1 or 2
    bool scale = false;
    double factor = kResidualScale; ///< the constant of `scale`; changes no count

    bool operator==(const Residual&) const = default;
};

} // namespace flopsmith
