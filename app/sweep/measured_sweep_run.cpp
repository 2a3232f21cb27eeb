// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sweep/sweep_run.h"
#include "app/terminal/progress_line.h"
#include "core/protocol/process/interrupt.h"
#include "core/store/pool_store.h"
#include "core/store/when.h"
#include "core/study/sweep/measured_sweep.h"

#include <algorithm>
#include <optional>

namespace flopsmith::app {
namespace {

std::string joined(const std::vector<std::string>& texts, const std::string& between)
{
    std::string all;
    for (const std::string& text : texts) {
        all += (all.empty() ? "" : between) + text;
    }
    return all;
}

std::string progressText(const MeasuredSweepProgress& progress)
{
    std::string text = "measured " + std::to_string(progress.done) + " of "
        + std::to_string(progress.of) + " points";
    return progress.working.empty() ? text : text + ", now on " + joined(progress.working, " and ");
}

Result<PoolEnd> measuredUntilInterrupted(SweepRun& run,
                                         std::span<const Device> devices,
                                         const MeasuringOptions& each,
                                         const PoolMemory& memory,
                                         std::vector<SweepPoint>& points)
{
    const Interrupt interrupt;
    const ProgressLine line;
    Result<PoolEnd> end = measuredSweep(
        run.plan,
        devices,
        each,
        [&points, &run](const SweepPoint& point) {
            run.see(point);
            points.push_back(point);
        },
        interrupt.token(),
        [&line](const MeasuredSweepProgress& progress) { line.show(progressText(progress)); },
        memory);
    run.signal = interrupt.signal();
    return end;
}

bool hasMeasured(const std::vector<SweepPoint>& points)
{
    return std::any_of(points.begin(), points.end(), [](const SweepPoint& point) {
        return !point.device.empty();
    });
}

// The number of points from the store; empty without any.
std::string storedNote(const std::vector<SweepPoint>& points)
{
    std::size_t stored = 0;
    UnixSeconds oldest = unixNow();
    for (const SweepPoint& point : points) {
        stored += point.storedAt ? 1 : 0;
        oldest = std::min(oldest, point.storedAt.value_or(oldest));
    }
    return stored == 0 ? ""
                       : std::to_string(stored) + " of " + std::to_string(points.size())
            + " points were measured before, the oldest " + ageText(oldest, unixNow())
            + "; --fresh measures them again";
}

Outcome outcomeOf(const SweepRun& run,
                  const OutputOptions& output,
                  const std::vector<SweepPoint>& points,
                  const PoolEnd& end)
{
    Outcome outcome = output.of(sweepTable(run.plan, points, run.objectives));
    if (run.fit) {
        outcome.notes = fitSentences(run.plan, points);
    }
    if (std::string stored = storedNote(points); !stored.empty()) {
        outcome.notes.push_back(std::move(stored));
    }
    for (const std::string& sentence : end.lostDevices) {
        outcome.notes.push_back(sentence + " Its points were left to other devices.");
    }
    if (end.stopped) {
        outcome.notes.push_back("stopped after " + std::to_string(points.size()) + " of "
                                + std::to_string(run.plan.points()) + " points");
    }
    return outcome;
}

} // namespace

Outcome measuredSweepOutcome(SweepRun& run,
                             const OutputOptions& output,
                             std::span<const Device> devices,
                             const MeasuringOptions& options,
                             const StoreChoice& store)
{
    MeasuringOptions each = options;
    each.peaks = WithPeaks::no;
    std::optional<PoolStore> kept;
    if (store.used) {
        kept.emplace(store.file, store.reuse, devices, each);
    }
    std::vector<SweepPoint> points;
    const Result<PoolEnd> end =
        measuredUntilInterrupted(run, devices, each, kept ? kept->memory() : PoolMemory{}, points);
    if (!end) {
        return Outcome::badInput(end.error());
    }
    const bool some = hasMeasured(points);
    if (end->allDevicesLost) {
        if (some) {
            PoolEnd noted = *end;
            noted.lostDevices.clear(); // the failure contains them
            delivered(outcomeOf(run, output, points, noted));
        }
        return Outcome::failure(ExitCode::deviceUnavailable, joined(end->lostDevices, " "));
    }
    Outcome outcome = outcomeOf(run, output, points, *end);
    if (const auto failure = kept ? kept->failure() : std::nullopt) {
        outcome.notes.push_back(storeNote(*failure));
    }
    if (end->stopped && some) {
        delivered(outcome);
    }
    return outcome;
}

} // namespace flopsmith::app
