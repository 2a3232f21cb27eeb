// SPDX-License-Identifier: MIT
#include "core/measure/stopping_rule.h"

#include <algorithm>
#include <cmath>

namespace flopsmith {
namespace {

// The minimum for a 95 % interval.
constexpr std::size_t kMinBursts = 6;

std::optional<double> halfWidthOf(const Samples& samples)
{
    const std::optional<Interval> interval = medianInterval(samples);
    if (!interval || samples.median() <= 0.0) {
        return std::nullopt;
    }
    return (interval->high - interval->low) / 2.0 / samples.median();
}

} // namespace

Verdict StoppingRule::add(const Burst& burst, double elapsedSeconds)
{
    m_all.add(burst);
    if (!burst.disturbed) {
        m_undisturbed.add(burst);
    }
    const bool exhausted = samplesLeft() == 0 || elapsedSeconds >= m_limits.budgetSeconds;
    if (!exhausted && elapsedSeconds < m_limits.minSeconds) {
        return Verdict::Continue;
    }
    if (hasEnoughUndisturbed() && isPrecise() && !isDrifting()) {
        return Verdict::Settled;
    }
    return exhausted ? Verdict::GaveUp : Verdict::Continue;
}

std::size_t StoppingRule::samplesLeft() const
{
    const auto maxSamples = static_cast<std::size_t>(m_limits.maxSamples);
    return maxSamples - std::min(maxSamples, m_all.samples.count());
}

std::optional<double> StoppingRule::relativeHalfWidth() const
{
    const std::optional<double> ofSamples = halfWidthOf(used().samples);
    const std::optional<double> ofBursts = halfWidthOf(used().burstMedians);
    return ofSamples && ofBursts ? std::optional(std::max(*ofSamples, *ofBursts)) : std::nullopt;
}

bool StoppingRule::isDrifting() const
{
    const Samples& medians = used().burstMedians;
    const std::size_t half = medians.count() / 2;
    const double change =
        medianOf(medians.inOrder().last(half)) - medianOf(medians.inOrder().first(half));
    return std::abs(change) > 2.0 * m_limits.relativePrecision * medians.median();
}

bool StoppingRule::hasEnoughUndisturbed() const
{
    return m_undisturbed.burstMedians.count() >= kMinBursts
        && m_undisturbed.samples.count() >= static_cast<std::size_t>(m_limits.minSamples);
}

void StoppingRule::Taken::add(const Burst& burst)
{
    for (const double seconds : burst.seconds) {
        samples.add(seconds);
    }
    burstMedians.add(medianOf(burst.seconds));
}

bool StoppingRule::isPrecise() const
{
    const std::optional<double> halfWidth = relativeHalfWidth();
    return halfWidth && *halfWidth <= m_limits.relativePrecision;
}

} // namespace flopsmith
