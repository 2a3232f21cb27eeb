// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/reference/counting_scalar.h"

#include <cmath>

// Limits that a design has as values. They change no count, so their comparisons are not counted.
namespace flopsmith::reference {

/// x, but at most the limit.
template <class S>
S atMost(S x, double limit)
{
    return valueOf(x) > limit ? S(limit) : x;
}

/// x within [−limit, limit].
template <class S>
S within(S x, double limit)
{
    return valueOf(x) < -limit ? S(-limit) : atMost(x, limit);
}

/// The gradient of within(): dy if x is within the limits (inclusive), otherwise 0.
template <class S>
S withinBackward(S x, S dy, double limit)
{
    return std::abs(valueOf(x)) > limit ? S(0) : dy;
}

} // namespace flopsmith::reference
