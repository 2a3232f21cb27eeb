// SPDX-License-Identifier: MIT
#include "core/lab/results/statistics.h"

#include "core/base/check.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace flopsmith {
namespace {

constexpr double kConfidence = 0.95;
constexpr int kBisections = 200;

// P(|T| < t) for whole degrees of freedom (Abramowitz and Stegun 26.7.3 and 26.7.4).
double studentWithin(double t, int degrees)
{
    const double angle = std::atan(t / std::sqrt(static_cast<double>(degrees)));
    const double cosine = std::cos(angle);
    const bool odd = degrees % 2 == 1;
    double term = odd ? cosine : 1.0;
    double sum = degrees > 1 ? term : 0.0;
    for (int k = odd ? 3 : 2; k < degrees; k += 2) {
        term *= cosine * cosine * static_cast<double>(k - 1) / static_cast<double>(k);
        sum += term;
    }
    const double product = std::sin(angle) * sum;
    return odd ? 2.0 / std::numbers::pi * (angle + product) : product;
}

} // namespace

double studentQuantile(int degrees)
{
    FLOPSMITH_CHECK(degrees >= 1);
    double low = 0.0;
    double high = 20.0; // one degree of freedom has 12.7
    for (int i = 0; i < kBisections; ++i) {
        const double middle = 0.5 * (low + high);
        (studentWithin(middle, degrees) < kConfidence ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

MeanInterval meanInterval(std::span<const double> values)
{
    MeanInterval result{.count = static_cast<int>(values.size())};
    if (values.empty()) {
        result.halfWidth = std::numeric_limits<double>::infinity();
        return result;
    }
    const auto n = static_cast<double>(values.size());
    for (const double value : values) {
        result.mean += value / n;
    }
    if (values.size() < 2) {
        result.halfWidth = std::numeric_limits<double>::infinity();
        return result;
    }
    double squares = 0.0;
    for (const double value : values) {
        squares += (value - result.mean) * (value - result.mean);
    }
    const double deviation = std::sqrt(squares / (n - 1.0));
    result.halfWidth = studentQuantile(result.count - 1) * deviation / std::sqrt(n);
    return result;
}

PairedDifference pairedDifference(std::span<const double> a, std::span<const double> b)
{
    FLOPSMITH_CHECK(a.size() == b.size());
    PairedDifference result;
    std::vector<double> differences;
    for (std::size_t i = 0; i < a.size(); ++i) {
        differences.push_back(a[i] - b[i]);
        result.positive += differences.back() > 0.0 ? 1 : 0;
        result.negative += differences.back() < 0.0 ? 1 : 0;
    }
    result.interval = meanInterval(differences);
    return result;
}

} // namespace flopsmith
