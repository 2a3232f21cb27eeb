// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measuring/run_times.h"

#include "core/present/time/run_time.h"

#include <algorithm>

namespace flopsmith::ui {

std::vector<DeviceTimes> deviceTimes(const RunTimes& runTimes)
{
    std::vector<DeviceTimes> devices{{.device = runTimes.device.toStdString(),
                                      .times = runTimes.times,
                                      .roofs = runTimes.roofs,
                                      .unavailable = runTimes.unavailable.toStdString(),
                                      .processor = runTimes.processor.toStdString()}};
    devices.insert(devices.end(), runTimes.compared.begin(), runTimes.compared.end());
    return devices;
}

RunTimeComparison runTimeComparison(const RunTimes& runTimes)
{
    return runTimeComparison(runTimes.parts, deviceTimes(runTimes));
}

bool beatsPeaks(const RunTimes& runTimes)
{
    const bool some = std::any_of(runTimes.times.begin(),
                                  runTimes.times.end(),
                                  [](const PartTime& time) { return time.hasTime(); });
    return some && runTimes.roofs
        && runTimeTable(runTimes.parts, runTimes.times, {}, runTimes.roofs).beatsPeaks();
}

} // namespace flopsmith::ui
