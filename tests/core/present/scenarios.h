// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/presets.h"
#include "core/present/time/run_time.h"

#include <string_view>
#include <vector>

namespace flopsmith::test {

inline Scenario scenarioOf(std::string_view preset, int sequence = 1024)
{
    return {.model = *presetNamed(preset), .workload = {.sequence = sequence}};
}

inline std::vector<MeasuredPart> partsOf(std::string_view preset, int sequence = 8)
{
    return measuredParts(scenarioOf(preset, sequence));
}

inline std::vector<PartTime> allSettled(std::size_t count, double seconds)
{
    return std::vector<PartTime>(count,
                                 {.state = PartState::settled,
                                  .medianSeconds = seconds,
                                  .madSeconds = seconds / 100.0,
                                  .relativeError = 3.14e-7});
}

} // namespace flopsmith::test
