// SPDX-License-Identifier: MIT
#pragma once

namespace flopsmith {

/// The constant of a scaled residual that names no other.
inline constexpr double kResidualScale = 0.25;

/// What leads back into the residual stream: x + f, or x + f + g where mixer and FFN stand side by
/// side. `scale`: f (or f + g) times a constant first, Granite's residual multiplier.
struct Residual
{
    int branches = 1; ///< 1 or 2
    bool scale = false;
    double factor = kResidualScale; ///< the constant of `scale`; changes no count

    bool operator==(const Residual&) const = default;
};

} // namespace flopsmith
