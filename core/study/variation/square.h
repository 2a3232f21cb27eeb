// SPDX-License-Identifier: MIT
#pragma once

namespace flopsmith {

/// The value times itself: independent errors add as squares.
inline double square(double value)
{
    return value * value;
}

} // namespace flopsmith
