// SPDX-License-Identifier: MIT
#pragma once

#include "core/measure/samples.h"

#include <optional>

namespace flopsmith {

enum class Verdict {
    Continue,
    Settled, ///< the median is known as precisely as asked
    GaveUp, ///< the budget or the sample limit came first; the samples are good, their spread is not
};

struct StoppingLimits
{
    double relativePrecision = 0.01; ///< half of the median's 95 % interval over the median
    int minSamples = 6; ///< the fewest that have a 95 % interval; a smaller number acts like 6
    int maxSamples = 2000;
    double minSeconds = 0.05; ///< a shorter look sees one moment of the machine only
    double budgetSeconds = 1.0;

    bool operator==(const StoppingLimits&) const = default;
};

/// Decides, one sample at a time, whether to go on measuring. It is settled when
///   * there are at least minSamples, and minSeconds have passed (or nothing more may be taken),
///   * half of the distribution-free 95 % interval of the median is within relativePrecision,
///   * and the samples do not drift: the medians of the earlier and of the later half differ by
///     at most twice relativePrecision. (Half as many samples have 1.41 times the error, and a
///     difference of two 1.41 times again: without a drift it stays within twice the half-width
///     in 95 of 100 cases.)
/// A run of outliers moves none of these; two speeds taken in turn (50:50) never settle.
/// It gives up when the budget is spent or maxSamples are reached. Looking after every sample
/// instead of once makes 95 % a little optimistic; minSeconds keeps that small.
///
/// Pure: time is an argument.
class StoppingRule
{
public:
    explicit StoppingRule(const StoppingLimits& limits)
        : m_limits(limits)
    {}

    /// `elapsedSeconds`: since the first sample began, at the end of this one.
    Verdict add(double seconds, double elapsedSeconds);

    const Samples& samples() const { return m_samples; }

    /// Half of the median's 95 % interval over the median: 0.01 reads "within 1 %". Nothing with
    /// fewer than 6 samples, or when the median is 0: a clock too coarse never settles.
    std::optional<double> relativeHalfWidth() const;

    /// Whether the earlier and the later half disagree, as said above.
    bool isDrifting() const;

private:
    bool isPrecise() const;

    StoppingLimits m_limits;
    Samples m_samples;
};

} // namespace flopsmith
