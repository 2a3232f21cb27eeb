// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/measuring/measuring_run.h"
#include "app/terminal/outcome.h"
#include "core/present/time/run_time_comparison.h"

#include <span>

namespace flopsmith::app {

/// Measures one plan on several devices and returns the runs in their order. Devices of this
/// machine measure one after the other, because they would disturb each other; all others measure
/// in parallel. A device's failures are in its own run. Shows progress on standard error if that is
/// a terminal.
std::vector<MeasuringRun> measuringRuns(const Scenario& scenario,
                                        std::span<const Device> devices,
                                        const std::vector<MeasuredPart>& plan,
                                        const MeasuringOptions& options,
                                        const StoreChoice& store = {});

/// The runs as charts show them; a device that measured nothing at all is unavailable.
std::vector<DeviceTimes> deviceTimes(std::span<const MeasuringRun> runs);

/// The command's failure if no device measured anything.
std::optional<Outcome> failureOf(std::span<const MeasuringRun> runs);

/// One line per unavailable device, per failed part on other devices, and per warning of a device.
std::vector<std::string> failureNotes(std::span<const MeasuringRun> runs);

/// A row per part: for each device the time of all uses, and its ratio to the first.
Table sideBySideTable(std::span<const MeasuringRun> runs);

/// measuringJson() of each device in an array, and the ratios.
Json sideBySideJson(std::span<const MeasuringRun> runs);

/// Workload, and for each device its total and its ratio to the first, in lines for a terminal.
std::string sideBySideHeadline(std::span<const MeasuringRun> runs);

} // namespace flopsmith::app
