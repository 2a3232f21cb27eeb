// SPDX-License-Identifier: MIT
#include "core/measure/samples.h"

#include "core/base/check.h"

#include <algorithm>
#include <cmath>

namespace flopsmith {
namespace {

// Up to this many samples the binomial sum is exact; beyond, the normal approximation of the rank
// differs by at most one.
constexpr std::size_t kLargestExactSum = 100;

double quantileOfAscending(std::span<const double> ascending, double share)
{
    if (ascending.empty()) {
        return 0.0;
    }
    const double position = share * static_cast<double>(ascending.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, ascending.size() - 1);
    return std::lerp(ascending[below], ascending[above], position - static_cast<double>(below));
}

// The largest k with 2 P(Bin(n, 1/2) < k) <= 5 %; 0 when even k = 1 is too much.
std::size_t exactRank(std::size_t n)
{
    double term = std::ldexp(1.0, -static_cast<int>(n)); // P(Bin(n, 1/2) = 0)
    double below = 0.0;
    std::size_t rank = 0;
    while (2.0 * (below + term) <= 0.05) {
        below += term;
        term *= static_cast<double>(n - rank) / static_cast<double>(rank + 1);
        ++rank;
    }
    return rank;
}

std::size_t intervalRank(std::size_t n)
{
    if (n <= kLargestExactSum) {
        return exactRank(n);
    }
    const auto size = static_cast<double>(n);
    return static_cast<std::size_t>((size - 1.96 * std::sqrt(size)) / 2.0);
}

} // namespace

Samples::Samples(const std::vector<double>& seconds)
{
    m_inOrder.reserve(seconds.size());
    m_ascending.reserve(seconds.size());
    for (const double sample : seconds) {
        add(sample);
    }
}

void Samples::add(double seconds)
{
    FLOPSMITH_CHECK(std::isfinite(seconds) && seconds >= 0.0);
    m_inOrder.push_back(seconds);
    m_ascending.insert(std::ranges::upper_bound(m_ascending, seconds), seconds);
}

double Samples::min() const
{
    return empty() ? 0.0 : m_ascending.front();
}

double Samples::max() const
{
    return empty() ? 0.0 : m_ascending.back();
}

double Samples::median() const
{
    return quantile(0.5);
}

double Samples::quantile(double share) const
{
    FLOPSMITH_CHECK(share >= 0.0 && share <= 1.0);
    return quantileOfAscending(m_ascending, share);
}

double Samples::mad() const
{
    const double centre = median();
    std::vector<double> deviations(m_ascending);
    for (double& value : deviations) {
        value = std::abs(value - centre);
    }
    return medianOf(deviations);
}

double medianOf(std::span<const double> values)
{
    std::vector<double> ascending(values.begin(), values.end());
    std::ranges::sort(ascending);
    return quantileOfAscending(ascending, 0.5);
}

std::optional<Interval> medianInterval(const Samples& samples)
{
    const std::size_t rank = intervalRank(samples.count());
    if (rank == 0) {
        return std::nullopt;
    }
    const std::span<const double> ascending = samples.ascending();
    return Interval{ascending[rank - 1], ascending[ascending.size() - rank]};
}

} // namespace flopsmith
