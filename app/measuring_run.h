// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/table.h"
#include "core/model/operation.h"
#include "core/protocol/measuring.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace flopsmith::app {

/// What a device was asked to run, and what came of it.
struct MeasuringRun
{
    Scenario scenario{};
    std::string deviceName{};
    std::vector<MeasuredPart> plan{};
    MeasuringOutcome outcome{};

    /// Sum of median × uses over the parts that add to the total; nothing if one of them failed.
    std::optional<double> totalSeconds() const;

    /// Why a device that measured nothing at all is as good as none; nothing if it did measure.
    std::optional<std::string> uselessness() const;
};

/// Everything that a pass executes, or one block of it (counted from 0). A backward pass needs the
/// phase prefill: nobody trains token by token on a cache.
Result<std::vector<MeasuredPart>> measuringPlan(const Scenario& scenario,
                                                std::optional<int> block,
                                                ComputePass pass = ComputePass::forward);

/// Measures the plan part by part. Says how far it is on a standard error that is a terminal.
MeasuringRun measuringRun(const Scenario& scenario,
                          const Device& device,
                          std::vector<MeasuredPart> plan,
                          double budgetSeconds);

/// Who may stop a run, and who hears how far it is.
struct MeasuringWatch
{
    std::stop_token stop{};
    std::function<void(const std::string&)> progress{}; ///< called on the thread that measures
};

/// The same on any thread, as one of several runs.
MeasuringRun watchedRun(const Scenario& scenario,
                        const Device& device,
                        std::vector<MeasuredPart> plan,
                        double budgetSeconds,
                        const MeasuringWatch& watch);

/// A row per part: uses, median, spread, samples, time of all uses, rate, error.
Table measuringTable(const MeasuringRun& run);

/// The same with the device, its peaks, and everything that was recorded.
nlohmann::ordered_json measuringJson(const MeasuringRun& run);

/// Device, total and what one must know, in a few lines for a terminal.
std::string measuringHeadline(const MeasuringRun& run);

} // namespace flopsmith::app
