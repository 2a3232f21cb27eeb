// SPDX-License-Identifier: MIT
#include "core/measure/stopping_rule.h"

#include <cmath>

namespace flopsmith {

Verdict StoppingRule::add(double seconds, double elapsedSeconds)
{
    m_samples.add(seconds);
    const bool exhausted = m_samples.count() >= static_cast<std::size_t>(m_limits.maxSamples)
        || elapsedSeconds >= m_limits.budgetSeconds;
    if (!exhausted && elapsedSeconds < m_limits.minSeconds) {
        return Verdict::Continue;
    }
    if (isPrecise() && !isDrifting()) {
        return Verdict::Settled;
    }
    return exhausted ? Verdict::GaveUp : Verdict::Continue;
}

std::optional<double> StoppingRule::relativeHalfWidth() const
{
    const std::optional<Interval> interval = medianInterval(m_samples);
    const double median = m_samples.median();
    if (!interval || median <= 0.0) {
        return std::nullopt;
    }
    return (interval->high - interval->low) / 2.0 / median;
}

bool StoppingRule::isDrifting() const
{
    const std::span<const double> samples = m_samples.inOrder();
    const std::size_t half = samples.size() / 2;
    const double change = medianOf(samples.last(half)) - medianOf(samples.first(half));
    return std::abs(change) > 2.0 * m_limits.relativePrecision * m_samples.median();
}

bool StoppingRule::isPrecise() const
{
    const std::optional<double> halfWidth = relativeHalfWidth();
    return m_samples.count() >= static_cast<std::size_t>(m_limits.minSamples) && halfWidth
        && *halfWidth <= m_limits.relativePrecision;
}

} // namespace flopsmith
