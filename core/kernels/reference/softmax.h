// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <span>

namespace flopsmith::reference {

/// e^(x_i − max x) / Σ e^(x_j − max x) in place. For n ≥ 1 values: n − 1 comparisons, 2n − 1
/// additions (n of them subtract the largest), n exp, n divisions. A sink is one more x_j of the
/// maximum and the sum: 1 comparison, 2 additions, 1 exp more.
template <class S>
void softmax(std::span<S> row, const S* sink = nullptr)
{
    using std::exp;
    S largest = row[0];
    for (const S& value : row.subspan(1)) {
        largest = largest < value ? value : largest;
    }
    if (sink != nullptr) {
        largest = largest < *sink ? *sink : largest;
    }
    for (S& value : row) {
        value = exp(value - largest);
    }
    S sum = row[0];
    for (const S& value : row.subspan(1)) {
        sum += value;
    }
    if (sink != nullptr) {
        sum += exp(*sink - largest);
    }
    for (S& value : row) {
        value = value / sum;
    }
}

} // namespace flopsmith::reference
