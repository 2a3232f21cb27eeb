// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/measuring/measuring_run.h"
#include "app/terminal/outcome.h"
#include "core/present/run_time_comparison.h"

#include <span>

namespace flopsmith::app {

/// One plan on several devices, in their order. Those of this machine would disturb each other and
/// measure one after the other; all others measure at the same time. What goes wrong on one device
/// is in its own run. Says how far it is on a standard error that is a terminal.
std::vector<MeasuringRun> measuringRuns(const Scenario& scenario,
                                        std::span<const Device> devices,
                                        const std::vector<MeasuredPart>& plan,
                                        const MeasuringOptions& options,
                                        const StoreChoice& store = {});

/// The runs as charts show them; a device that measured nothing at all is unavailable.
std::vector<DeviceTimes> deviceTimes(std::span<const MeasuringRun> runs);

/// If no device measured anything: the failure that the command ends with.
std::optional<Outcome> failureOf(std::span<const MeasuringRun> runs);

/// A line for each device that cannot be asked, each part that failed on another one, and what they
/// say of themselves.
std::vector<std::string> failureNotes(std::span<const MeasuringRun> runs);

/// A row per part: for each device the time of all uses, and its ratio to the first.
Table sideBySideTable(std::span<const MeasuringRun> runs);

/// What measuringJson() says of each device, in an array, and the ratios.
nlohmann::ordered_json sideBySideJson(std::span<const MeasuringRun> runs);

/// Workload, and for each device its total and its ratio to the first, in lines for a terminal.
std::string sideBySideHeadline(std::span<const MeasuringRun> runs);

} // namespace flopsmith::app
