// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/measuring/store_choice.h"
#include "core/base/result.h"
#include "core/io/table/table.h"
#include "core/model/operation.h"
#include "core/present/part_time.h"
#include "core/protocol/measuring/measuring.h"
#include "core/study/part_shares.h"

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
    MeasuringOptions options{};
    std::vector<MeasuredPart> plan{};
    MeasuringOutcome outcome{};
    std::vector<std::optional<UnixSeconds>> storedAt{}; ///< parallel to the plan, or empty
    std::optional<UnixSeconds> peaksStoredAt{}; ///< likewise of the peaks
    std::vector<std::string> storeNotes{}; ///< what went wrong with the store

    /// When the part's result was measured, if it comes out of the store.
    std::optional<UnixSeconds> storedAtOf(std::size_t part) const
    {
        return part < storedAt.size() ? storedAt[part] : std::nullopt;
    }

    /// Sum of median × uses over the parts that add to the total; nothing if one of them failed.
    std::optional<double> totalSeconds() const;

    /// Of one use of each part, 0 where there is no time.
    std::vector<double> medians() const;

    /// The device's own roofs, if it measured them.
    std::optional<MachineRoofs> roofs() const;

    /// Which of them stand above what was measured.
    RoofConditions conditions() const;

    /// The least time of one use of a part of the plan, in the precision in which it was measured; its
    /// binding is unknown without roofs.
    RoofBound boundOf(const MeasuredPart& part) const;

    /// Of the plan.
    ComputePass pass() const;

    /// Why a device that measured nothing at all is as good as none; nothing if it did measure.
    std::optional<std::string> uselessness() const;

    /// What the device says of itself that slows it down, what went wrong with the store, and how
    /// much comes out of it and how old that is.
    std::vector<std::string> notes() const;
};

/// Everything that a pass executes, or one block of it (counted from 0). A backward pass needs the
/// phase prefill: nobody trains token by token on a cache.
Result<std::vector<MeasuredPart>> measuringPlan(const Scenario& scenario,
                                                std::optional<int> block,
                                                ComputePass pass = ComputePass::forward);

/// Measures the plan part by part, what the store cannot answer. Says how far it is on a standard
/// error that is a terminal. Of an imported device there is what is stored and nothing else.
MeasuringRun measuringRun(const Scenario& scenario,
                          const Device& device,
                          std::vector<MeasuredPart> plan,
                          const MeasuringOptions& options,
                          const StoreChoice& store = {});

/// Who may stop a run, and who hears how far it is.
struct MeasuringWatch
{
    std::stop_token stop{};
    std::function<void(const std::string&)> progress{}; ///< called on the thread that measures
    std::function<void(const std::string&)> note{}; ///< likewise, for what shall stay to be read
};

/// The same on any thread, as one of several runs.
MeasuringRun watchedRun(const Scenario& scenario,
                        const Device& device,
                        std::vector<MeasuredPart> plan,
                        const MeasuringOptions& options,
                        const StoreChoice& store,
                        const MeasuringWatch& watch);

/// Results of a run as the charts show them.
std::vector<PartTime> partTimes(const MeasuringRun& run);

/// How much comes out of the store, and how old it is; empty if nothing does.
std::string storedNote(const MeasuringRun& run);

/// "float32" and "hot", as on the command line.
std::string precisionName(ComputePrecision precision);
std::string cacheName(CacheState cache);

/// "float32", "bfloat16, cold caches"
std::string conditionsText(const MeasuringOptions& options);

/// The same if it is not what is usual; else empty.
std::string unusualConditions(const MeasuringOptions& options);

/// The table with a column that says how old results out of the store are, if there are any.
Table withStoredColumn(Table table, const MeasuringRun& run);

/// A row per part: uses, median, spread, samples, time of all uses and its share, the least that the
/// device's peaks allow, rate, error.
Table measuringTable(const MeasuringRun& run);

/// The same with the device, its peaks, and everything that was recorded.
nlohmann::ordered_json measuringJson(const MeasuringRun& run);

/// Device, total and what one must know, in a few lines for a terminal.
std::string measuringHeadline(const MeasuringRun& run);

} // namespace flopsmith::app
