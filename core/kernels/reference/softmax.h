// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <span>

namespace flopsmith::reference {

/// e^(x_i − max x) / Σ e^(x_j − max x) in place. For n ≥ 1 values: n − 1 comparisons, 2n − 1
/// additions (n of them subtract the largest), n exp, n divisions.
template <class S>
void softmax(std::span<S> row)
{
    using std::exp;
    S largest = row[0];
    for (const S& value : row.subspan(1)) {
        largest = largest < value ? value : largest;
    }
    for (S& value : row) {
        value = exp(value - largest);
    }
    S sum = row[0];
    for (const S& value : row.subspan(1)) {
        sum += value;
    }
    for (S& value : row) {
        value = value / sum;
    }
}

} // namespace flopsmith::reference
