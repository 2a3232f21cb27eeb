// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/part_times.h"

#include "core/protocol/measuring/settling.h"

namespace flopsmith {
namespace {

PartTime measuredTime(const Measured& measured)
{
    const Repeats repeats = repeatsOf(measured).value_or(Repeats{});
    return {.state = isSettled(measured) ? PartState::settled : PartState::notSettled,
            .medianSeconds = measured.medianSeconds,
            .madSeconds = measured.madSeconds,
            .relativeError = measured.check.relativeError,
            .sentence = unsettledSentence(measured),
            .lowestSeconds = repeats.lowestSeconds,
            .highestSeconds = repeats.highestSeconds};
}

} // namespace

PartTime partTime(const PartResult& result)
{
    switch (result.stage) {
    case PartStage::waiting: return {};
    case PartStage::running: return {.state = PartState::running};
    case PartStage::measured: return result.measured ? measuredTime(*result.measured) : PartTime{};
    case PartStage::failed: return {.state = PartState::failed, .sentence = result.sentence};
    }
    return {};
}

Peaks peaksOf(const PeaksMeasured& measured)
{
    return {.flopsPerSecond = measured.flopsPerSecond, .bytesPerSecond = measured.bytesPerSecond};
}

} // namespace flopsmith
