// SPDX-License-Identifier: MIT
#pragma once

namespace flopsmith {

/// Numbers of a gated FFN that change what it computes and no count (gpt-oss has them):
///   g ← min(g, limit);  u ← u within ±limit;  hidden = g·σ(slope·g) ⊙ (u + offset)
/// The limits' comparisons are not counted. The slope stands where SiLU changes the sign of its
/// exponent, which is free, and the offset is part of the bias of u.
struct GateValues
{
    double limit = 0.0; ///< 0: none
    double siluSlope = 1.0; ///< where the activation is SiLU
    double upOffset = 0.0; ///< where there are biases

    bool operator==(const GateValues&) const = default;

    bool limits() const { return limit > 0.0; }
};

} // namespace flopsmith
