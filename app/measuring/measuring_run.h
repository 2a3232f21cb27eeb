// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/measuring/store_choice.h"
#include "core/base/result.h"
#include "core/io/table/table.h"
#include "core/json/json.h"
#include "core/model/operation.h"
#include "core/present/time/part_time.h"
#include "core/protocol/measuring/measuring.h"
#include "core/study/machine/part_shares.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace flopsmith::app {

/// The whole model measured as one operation.
struct WholePass
{
    PartResult result{};
    std::optional<UnixSeconds> storedAt{};
};

/// A plan for a device and its results.
struct MeasuringRun
{
    Scenario scenario{};
    std::string deviceName{};
    MeasuringOptions options{};
    std::vector<MeasuredPart> plan{};
    MeasuringOutcome outcome{};
    std::vector<std::optional<UnixSeconds>> storedAt{}; ///< parallel to the plan, or empty
    std::optional<UnixSeconds> peaksStoredAt{}; ///< the same for the peaks
    std::optional<WholePass> whole{}; ///< if the plan requested it; not one of its parts
    std::vector<std::string> storeNotes{}; ///< failures of the store

    /// When the part's result was measured, if it is from the store.
    std::optional<UnixSeconds> storedAtOf(std::size_t part) const
    {
        return part < storedAt.size() ? storedAt[part] : std::nullopt;
    }

    /// Sum of median × uses over the parts that add to the total; nothing if one of them failed.
    std::optional<double> totalSeconds() const;

    /// The time of the whole pass over the sum of its parts; nothing unless both are known.
    std::optional<double> wholeToSum() const;

    /// The median time of one use of each part, 0 without a result.
    std::vector<double> medians() const;

    /// The device's own roofs, if it measured them.
    std::optional<MachineRoofs> roofs() const;

    /// Which roofs bound the measurements.
    RoofConditions conditions() const;

    /// The lower bound for one use of a part of the plan in its measured precision; unknown without
    /// roofs.
    RoofBound boundOf(const MeasuredPart& part) const;

    /// The pass that the plan measures.
    ComputePass pass() const;

    /// Why the device has no results at all; nothing if it has some.
    std::optional<std::string> uselessness() const;

    /// The device's warning, failures of the store, and number and age of results from the store.
    std::vector<std::string> notes() const;
};

/// The parts of a pass, or of one block (counted from 0). A backward pass requires the phase
/// prefill.
Result<std::vector<MeasuredPart>> measuringPlan(const Scenario& scenario,
                                                std::optional<int> block,
                                                ComputePass pass = ComputePass::forward);

/// Measures the parts of the plan that are not in the store, and the whole pass where that is the
/// plan's last part, with progress on standard error if that is a terminal. An imported device has only its stored results.
MeasuringRun measuringRun(const Scenario& scenario,
                          const Device& device,
                          std::vector<MeasuredPart> plan,
                          const MeasuringOptions& options,
                          const StoreChoice& store = {});

/// Stop token and callbacks of a run.
struct MeasuringWatch
{
    std::stop_token stop{};
    std::function<void(const std::string&)> progress{}; ///< called on the thread that measures
    std::function<void(const std::string&)> note{}; ///< the same, for lines that stay
};

/// The same as one of several parallel runs; may be called on any thread.
MeasuringRun watchedRun(const Scenario& scenario,
                        const Device& device,
                        std::vector<MeasuredPart> plan,
                        const MeasuringOptions& options,
                        const StoreChoice& store,
                        const MeasuringWatch& watch);

/// Results of a run as the charts show them.
std::vector<PartTime> partTimes(const MeasuringRun& run);

/// Number and age of results from the store; empty if there are none.
std::string storedNote(const MeasuringRun& run);

/// "float32" and "hot", as on the command line.
std::string precisionName(ComputePrecision precision);
std::string cacheName(CacheState cache);

/// "float32", "bfloat16, cold caches"
std::string conditionsText(const MeasuringOptions& options);

/// The same if it differs from the default; otherwise empty.
std::string unusualConditions(const MeasuringOptions& options);

/// The table with a column for the age of results from the store, if there are any.
Table withStoredColumn(Table table, const MeasuringRun& run);

/// A row per part: uses, median, spread, samples, time of all uses and its share, lower bound by
/// the device's peaks, rate, error.
Table measuringTable(const MeasuringRun& run);

/// The same with the device, its peaks, and everything that was recorded.
Json measuringJson(const MeasuringRun& run);

/// Device, total and notes in a few lines for a terminal.
std::string measuringHeadline(const MeasuringRun& run);

} // namespace flopsmith::app
