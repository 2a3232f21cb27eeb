// SPDX-License-Identifier: MIT
#include "core/study/sweep/pass_time.h"

#include "core/base/check.h"
#include "core/protocol/measuring/settling.h"
#include "core/study/variation/square.h"

#include <cmath>

namespace flopsmith {

std::vector<MeasuredPart> partsOfPass(const Scenario& scenario)
{
    std::vector<MeasuredPart> parts = measuredParts(scenario);
    if (scenario.workload.phase != Phase::train) {
        return parts;
    }
    const int forward = static_cast<int>(parts.size());
    for (MeasuredPart& part : measuredParts(scenario, ComputePass::backward)) {
        part.partOf = part.partOf < 0 ? -1 : part.partOf + forward;
        parts.push_back(std::move(part));
    }
    return parts;
}

double standardError(const Measured& measured)
{
    constexpr double kNormal95 = 1.96;
    constexpr double kMadToDeviation = 1.4826;
    constexpr double kMedianToMean = 1.2533; // √(π/2)
    if (measured.relativeHalfWidth) {
        return *measured.relativeHalfWidth * measured.medianSeconds / kNormal95;
    }
    const double samples = static_cast<double>(std::max<std::size_t>(measured.samples, 1));
    return kMedianToMean * kMadToDeviation * measured.madSeconds / std::sqrt(samples);
}

void PassTimeSum::add(const Measured& measured, int uses)
{
    m_sum.seconds += uses * measured.medianSeconds;
    m_sum.flops += Count{uses} * measured.flops;
    m_sum.settled = m_sum.settled && isSettled(measured);
    m_squaredMads += square(uses * measured.madSeconds);
    m_squaredErrors += square(uses * standardError(measured));
}

PassTime PassTimeSum::time() const
{
    PassTime time = m_sum;
    time.madSeconds = std::sqrt(m_squaredMads);
    time.standardErrorSeconds = std::sqrt(m_squaredErrors);
    return time;
}

Result<PassTime> passTime(std::span<const MeasuredPart> plan, std::span<const PartResult> parts)
{
    FLOPSMITH_CHECK(plan.size() == parts.size());
    PassTimeSum sum;
    for (std::size_t i = 0; i < plan.size(); ++i) {
        if (!plan[i].addsToTotal()) {
            continue;
        }
        if (!parts[i].measured) {
            return Error{plan[i].path + ": "
                         + (parts[i].sentence.empty() ? "not measured" : parts[i].sentence)};
        }
        sum.add(*parts[i].measured, plan[i].uses);
    }
    return sum.time();
}

} // namespace flopsmith
