// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/reference/counting_scalar.h"

#include <cmath>
#include <span>
#include <vector>

namespace flopsmith::reference {

/// Indices of the `count` largest values, ascending. Among equal values the lower index wins. NaN
/// counts as the largest, so that it reaches the output.
std::vector<int> largest(std::span<const double> values, int count);

/// The `count` channels of largest |x_j|, ascending. Nominally one comparison per candidate.
template <class S>
std::vector<int> largestMagnitudes(std::span<const S> x, int count)
{
    std::vector<double> magnitudes;
    magnitudes.reserve(x.size());
    for (const S& value : x) {
        magnitudes.push_back(std::abs(valueOf(value)));
    }
    noteSelection<S>(x.size());
    return largest(magnitudes, count);
}

} // namespace flopsmith::reference
