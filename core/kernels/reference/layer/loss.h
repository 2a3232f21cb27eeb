// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/check.h"
#include "core/kernels/reference/counting_scalar.h"

#include <cmath>
#include <span>

// Cross-entropy as crossEntropyCost() of core/layer/loss_cost.h counts it. S is float, double or Counted.
namespace flopsmith::reference {

/// Mean over the rows of log t − (x_y − m), where m is the largest logit x of a row, t the sum of
/// e = exp(x − m) and y the row's class. Leaves e in `exponentials` [rows, classes] and t in
/// `totals` [rows] for the backward pass.
template <class S>
S crossEntropy(std::span<const S> logits,
               std::span<const int> labels,
               std::span<S> exponentials,
               std::span<S> totals)
{
    using std::exp;
    using std::log;
    const std::size_t rows = labels.size();
    FLOPSMITH_CHECK(rows > 0 && logits.size() == exponentials.size() && totals.size() == rows);
    const std::size_t classes = logits.size() / rows;
    S sum(0);
    for (std::size_t row = 0; row < rows; ++row) {
        const auto x = logits.subspan(row * classes, classes);
        const auto e = exponentials.subspan(row * classes, classes);
        S largest = x[0];
        for (const S& value : x.subspan(1)) {
            largest = largest < value ? value : largest;
        }
        const auto label = static_cast<std::size_t>(labels[row]);
        S ofLabel(0);
        for (std::size_t i = 0; i < classes; ++i) {
            const S below = x[i] - largest;
            ofLabel = i == label ? below : ofLabel;
            e[i] = exp(below);
        }
        noteMoves<S>(1);
        totals[row] = e[0];
        for (const S& value : e.subspan(1)) {
            totals[row] += value;
        }
        const S loss = log(totals[row]) - ofLabel;
        sum = row == 0 ? loss : sum + loss;
    }
    return sum / S(static_cast<double>(rows));
}

/// dx = (e/t − [class = y])/rows, from the e and t that the forward pass saved.
template <class S>
void crossEntropyBackward(std::span<const S> exponentials,
                          std::span<const S> totals,
                          std::span<const int> labels,
                          std::span<S> dx)
{
    const std::size_t rows = labels.size();
    FLOPSMITH_CHECK(rows > 0 && dx.size() == exponentials.size() && totals.size() == rows);
    const std::size_t classes = dx.size() / rows;
    const auto share = static_cast<S>(1.0 / static_cast<double>(rows));
    for (std::size_t row = 0; row < rows; ++row) {
        const S total = totals[row] * S(static_cast<double>(rows));
        for (std::size_t i = 0; i < classes; ++i) {
            dx[row * classes + i] = exponentials[row * classes + i] / total;
        }
        S& ofLabel = dx[row * classes + static_cast<std::size_t>(labels[row])];
        noteMoves<S>(1);
        ofLabel = ofLabel - share;
    }
}

} // namespace flopsmith::reference
