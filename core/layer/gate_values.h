// SPDX-License-Identifier: MIT
#pragma once

namespace flopsmith {

/// Constants of a gated FFN that change its values but no count (gpt-oss has them):
///   g ← min(g, limit);  u ← u within ±limit;  hidden = g·σ(slope·g) ⊙ (u + offset)
/// The comparisons of the limits are not counted. The slope replaces the change of sign in SiLU's
/// exponent, which is free, and the offset is part of the bias of u.
struct GateValues
{
    double limit = 0.0; ///< 0: no limit
    double siluSlope = 1.0; ///< where the activation is SiLU
    double upOffset = 0.0; ///< where there are biases

    bool operator==(const GateValues&) const = default;

    bool limits() const { return limit > 0.0; }
};

} // namespace flopsmith
