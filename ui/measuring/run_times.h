// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/budget/machine_roofs.h"
#include "core/present/run_time_comparison.h"

#include <QString>

#include <optional>
#include <vector>

namespace flopsmith::ui {

/// What is known of the run time of the present scenario.
struct RunTimes
{
    std::vector<MeasuredPart> parts;
    std::vector<PartTime> times; ///< parallel to the parts
    std::optional<Peaks> peaks;
    std::optional<MachineRoofs> roofs{}; ///< of the machine that measured
    QString device; ///< "this CPU"
    QString processor{}; ///< what the device says of itself: "Intel(R) Xeon(R) …, 2 cores"
    QString unavailable{}; ///< why the device cannot be asked; empty if it can
    std::vector<DeviceTimes> compared{}; ///< further devices, beside the one above
};

/// All devices, the one that measures first.
std::vector<DeviceTimes> deviceTimes(const RunTimes& runTimes);

/// The same side by side. Their kernels compute in single precision, whatever the
/// scenario stores.
RunTimeComparison runTimeComparison(const RunTimes& runTimes);

/// Time × uses over the parts that add to one pass, "≈ 5.23 s (4.10 s to 6.50 s)"; "2 of 10 parts"
/// where some are missing; empty while nothing is measured.
QString totalText(const RunTimes& runTimes);

/// A part that matters took less time than the peaks of the device allow: they are too low.
bool beatsPeaks(const RunTimes& runTimes);

} // namespace flopsmith::ui
