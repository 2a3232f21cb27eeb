// SPDX-License-Identifier: MIT
#pragma once

#include "core/measure/samples.h"

#include <optional>
#include <vector>

namespace flopsmith {

/// Consecutive samples. They share the machine's momentary state, so that only their median counts
/// as an independent observation.
struct Burst
{
    std::vector<double> seconds{};
    /// Another program took a processor from this one meanwhile; see interference.h.
    bool disturbed = false;
};

enum class Verdict {
    Continue,
    Settled, ///< the median is known as precisely as asked
    GaveUp, ///< budget or sample limit reached first: the samples are valid but spread too far
};

struct StoppingLimits
{
    double relativePrecision = 0.01; ///< half of the median's 95 % interval over the median
    int minSamples = 6;
    int maxSamples = 10000;
    double minSeconds = 0.05; ///< a shorter measurement sees only one state of the machine
    double budgetSeconds = 1.0;

    bool operator==(const StoppingLimits&) const = default;
};

/// Decides, one burst of samples at a time, whether to go on measuring. Disturbed bursts are set
/// aside. It is settled when
///   * there are at least minSamples in at least 6 bursts, the fewest that have a 95 % interval, and
///     minSeconds have passed (or nothing more may be taken),
///   * half of the distribution-free 95 % interval of the median is within relativePrecision, both
///     that of all samples and that of the bursts' medians,
///   * and the bursts do not drift: the medians of the earlier and of the later half differ by
///     at most twice relativePrecision. (Half as many samples have 1.41 times the error, and a
///     difference of two 1.41 times again: without a drift it stays within twice the half-width
///     in 95 of 100 cases.)
/// A run of outliers moves none of these; two speeds taken in turn (50:50) never settle.
/// It gives up when the budget is spent or maxSamples are reached, the disturbed ones counted; with
/// too few others, the disturbed ones are used as well. Testing after every burst instead of once
/// makes the 95 % slightly optimistic; minSeconds limits that.
///
/// Reads no clock: time is an argument.
class StoppingRule
{
public:
    explicit StoppingRule(const StoppingLimits& limits)
        : m_limits(limits)
    {}

    /// `elapsedSeconds`: since the first sample began, at the end of this burst.
    Verdict add(const Burst& burst, double elapsedSeconds);

    /// The undisturbed samples; all of them if those are too few to tell.
    const Samples& samples() const { return used().samples; }

    /// How many more may be taken.
    std::size_t samplesLeft() const;

    /// Half of the median's 95 % interval over the median, of the samples or of the bursts' medians,
    /// whichever is more: 0.01 reads "within 1 %". Nothing with fewer than 6 bursts, or when the
    /// median is 0: a clock too coarse never settles.
    std::optional<double> relativeHalfWidth() const;

    /// Whether the earlier and the later half disagree, see above.
    bool isDrifting() const;

private:
    struct Taken
    {
        Samples samples;
        Samples burstMedians;

        void add(const Burst& burst);
    };
    const Taken& used() const { return hasEnoughUndisturbed() ? m_undisturbed : m_all; }
    bool hasEnoughUndisturbed() const;
    bool isPrecise() const;

    StoppingLimits m_limits;
    Taken m_all;
    Taken m_undisturbed;
};

} // namespace flopsmith
