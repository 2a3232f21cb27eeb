// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/options/options.h"
#include "app/options/store_options.h"
#include "core/io/reports/sweep_report.h"
#include "core/protocol/device/device.h"

#include <span>
#include <vector>

namespace flopsmith::app {

/// A sweep to run.
struct SweepRun
{
    SweepPlan plan{};
    std::vector<Objective> objectives{}; ///< of the front to mark; empty: no front
    bool fit = false; ///< whether to fit each metric's growth
    int workers = 1; ///< threads that compute points
    int signal = 0; ///< afterwards: the signal that stopped it, or 0
    std::size_t untied = 0; ///< afterwards: points with a tie that is not met
    std::vector<FieldValue> firstUntied{}; ///< the first of them

    /// Called for every point.
    void see(const SweepPoint& point);

    /// A note on ties that are not met; empty if all are.
    std::string tieNote() const;

    bool needsAllPoints() const { return fit || !objectives.empty(); }
};

/// Runs a sweep with progress on standard error if that is a terminal. CSV rows are written while
/// they are computed, unless all are needed first. A stopped sweep delivers nothing.
Outcome sweepOutcome(SweepRun& run, const OutputOptions& output);

/// Runs a sweep with measured metrics and distributes its points over the devices, with the same
/// options for each; results in the store are reused. If it is stopped, or no device is left, the
/// rows so far are delivered; in the latter case the outcome is still a failure.
Outcome measuredSweepOutcome(SweepRun& run,
                             const OutputOptions& output,
                             std::span<const Device> devices,
                             const MeasuringOptions& options,
                             const StoreChoice& store);

} // namespace flopsmith::app
