// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace flopsmith {

/// Run times in seconds and robust statistics of them: median, quartiles, and MAD instead of mean
/// and standard deviation, so that a single outlier has no influence.
///
/// Contract: every sample is finite and not negative (checked), so no statistic is ever
/// not-a-number. Without samples all statistics are 0: ask empty() before dividing by one.
class Samples
{
public:
    Samples() = default;
    explicit Samples(const std::vector<double>& seconds);

    /// Stops the program on a negative or not finite value.
    void add(double seconds);

    bool empty() const { return m_inOrder.empty(); }
    std::size_t count() const { return m_inOrder.size(); }

    double min() const;
    double max() const;

    /// Half of the samples are below; the mean of the two in the middle when their number is even.
    double median() const;
    double lowerQuartile() const { return quantile(0.25); }
    double upperQuartile() const { return quantile(0.75); }

    /// `share` in [0, 1]; linear between the neighbours: definition 7 of Hyndman and Fan,
    /// "Sample Quantiles in Statistical Packages", 1996.
    double quantile(double share) const;

    /// Median of the absolute deviations from the median, in seconds and plain: *not* multiplied
    /// by 1.4826, so it is not an estimate of a standard deviation.
    double mad() const;

    /// In the order in which they were taken, which shows a drift.
    std::span<const double> inOrder() const { return m_inOrder; }
    std::span<const double> ascending() const { return m_ascending; }

    bool operator==(const Samples& other) const { return m_inOrder == other.m_inOrder; }

private:
    std::vector<double> m_inOrder;
    std::vector<double> m_ascending;
};

/// The median of any numbers, 0 without numbers.
double medianOf(std::span<const double> values);

struct Interval
{
    double low = 0.0;
    double high = 0.0;

    bool operator==(const Interval&) const = default;
};

/// Where the true median lies with a confidence of at least 95 %, whatever the distribution: the
/// k-th smallest and the k-th largest sample. How many samples fall below the true median is
/// binomial with p = 1/2, so k is the largest rank with 2 P(Bin(n, 1/2) < k) <= 5 %
/// (Conover, "Practical Nonparametric Statistics", section 3.2). Fewer than 6 samples have no
/// such interval: the smallest and the largest of five reach 93.75 % only.
std::optional<Interval> medianInterval(const Samples& samples);

} // namespace flopsmith
