// SPDX-License-Identifier: MIT
#include "app/bench/shared/verify_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flopsmith::bench {
namespace {

// Number of perturbations tried. Each breaks a tie the other way with probability 1/2.
constexpr int kTries = 32;

// The first half perturbs by 8 units in the last place. The compared values may themselves be sums
// (the logits of experts), whose rounding error grows like the root of their terms: the second half
// scales with it and with the rounding of operands, well within the tolerance of compare().
double moveOf(int tried, double terms, double operandRounding)
{
    constexpr double kUnit = std::numeric_limits<float>::epsilon();
    const double ofSums = tried > kTries / 2 ? 2.0 * std::sqrt(terms) : 0.0;
    const double ofOperands = tried > kTries / 2 ? 2.0 * operandRounding : 0.0;
    return std::max(kUnit * std::max(8.0, ofSums), ofOperands);
}

double largestError(std::span<const float> fast, std::span<const double> reference)
{
    double largest = 0;
    for (std::size_t i = 0; i < fast.size(); ++i) {
        const double error = std::abs(static_cast<double>(fast[i]) - reference[i]);
        largest = std::isfinite(error) ? std::max(largest, error)
                                       : std::numeric_limits<double>::infinity();
        if (!std::isfinite(largest)) {
            return largest;
        }
    }
    return largest;
}

double smallestErrorNearby(std::size_t row,
                           double tolerance,
                           double terms,
                           std::span<const float> fast,
                           const MovedRow& moved,
                           double operandRounding)
{
    double smallest = std::numeric_limits<double>::infinity();
    for (int i = 1; moved && i <= kTries && smallest > tolerance; ++i) {
        const auto nearby =
            moved(row, moveOf(i, terms, operandRounding), static_cast<std::uint64_t>(i));
        smallest = std::min(smallest, largestError(fast, nearby));
    }
    return smallest;
}

} // namespace

RowsAgreement compareRows(std::size_t rows,
                          double terms,
                          std::span<const float> found,
                          std::span<const double> expected,
                          const MovedRow& moved,
                          double operandRounding)
{
    RowsAgreement result{.agreement = compare(found, expected, terms, operandRounding)};
    Agreement& all = result.agreement;
    if (all.agrees || rows == 0 || !std::isfinite(all.tolerance)) {
        return result;
    }
    all.largestError = 0;
    all.agrees = true;
    const std::size_t width = found.size() / rows;
    for (std::size_t row = 0; row < rows && all.agrees; ++row) {
        const auto fast = found.subspan(row * width, width);
        double error = largestError(fast, expected.subspan(row * width, width));
        if (error > all.tolerance) {
            error = std::min(
                error,
                smallestErrorNearby(row, all.tolerance, terms, fast, moved, operandRounding));
            ++result.moved;
        }
        all.largestError = std::max(all.largestError, error);
        all.agrees = error <= all.tolerance;
    }
    return result;
}

} // namespace flopsmith::bench
