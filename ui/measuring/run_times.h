// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/budget/machine_roofs.h"
#include "core/present/time/run_time_comparison.h"

#include <QString>

#include <optional>
#include <vector>

namespace flopsmith::ui {

/// The known run times of the current scenario.
struct RunTimes
{
    std::vector<MeasuredPart> parts;
    std::vector<PartTime> times; ///< parallel to the parts
    std::optional<Peaks> peaks;
    std::optional<MachineRoofs> roofs{}; ///< of the machine that measured
    QString device; ///< "this CPU"
    QString processor{}; ///< the device's description: "Intel(R) Xeon(R) …, 2 cores"
    QString unavailable{}; ///< why the device cannot be used; empty if it can
    std::vector<DeviceTimes> compared{}; ///< the compared devices
};

/// All devices, the measuring one first.
std::vector<DeviceTimes> deviceTimes(const RunTimes& runTimes);

/// The times of all devices side by side. Their kernels compute in single precision, whatever
/// precision the scenario stores.
RunTimeComparison runTimeComparison(const RunTimes& runTimes);

/// Whether a large part took less time than the peaks of the device allow, so that these are too
/// low.
bool beatsPeaks(const RunTimes& runTimes);

} // namespace flopsmith::ui
