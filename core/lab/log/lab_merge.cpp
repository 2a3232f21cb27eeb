// SPDX-License-Identifier: MIT
#include "core/lab/log/lab_merge.h"

#include "core/base/printable.h"
#include "core/lab/lab_file.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace flopsmith {
namespace {

std::string versionText(const LabLog& log)
{
    return log.program.empty() ? "a version that it does not name"
                               : "version " + printable(log.program);
}

Status belongTogether(const NamedLog& first, const NamedLog& other)
{
    const std::string both = printable(first.name) + " and " + printable(other.name);
    switch (differenceOf(first.log.plan, other.log.plan)) {
    case PlanDifference::none: break;
    case PlanDifference::data:
        return Error{both + " learned from different data: the files had other contents"};
    case PlanDifference::plan:
        return Error{both
                     + " are logs of different labs: task, sizes, arms, seeds or budget differ"};
    }
    if (first.log.program != other.log.program) {
        return Error{both + " were begun by different programs: " + versionText(first.log) + " and "
                     + versionText(other.log)};
    }
    return Done{};
}

// The sort key in a merged log.
auto placeOf(const LabPlan& plan, const RunKey& key)
{
    const auto arm =
        std::ranges::find_if(plan.arms, [&](const Arm& each) { return each.name == key.arm; });
    return std::tuple(!key.tuning, key.seed, arm - plan.arms.begin(), key.rate, key.arm);
}

// Of two runs of one key, whether the first is the one to keep.
bool isBetter(const LoggedRun& run, const LoggedRun& other)
{
    const bool ended = run.end != RunEnd::open;
    if (ended != (other.end != RunEnd::open)) {
        return ended;
    }
    if (run.losses.size() != other.losses.size()) {
        return run.losses.size() > other.losses.size();
    }
    return runLines(0, run) < runLines(0, other);
}

std::string machinesOf(const std::vector<NamedLog>& logs)
{
    std::set<std::string> machines;
    for (const NamedLog& each : logs) {
        machines.insert(each.log.machine);
    }
    std::string text;
    for (const std::string& machine : machines) {
        text += (text.empty() ? "" : "; ") + machine;
    }
    return text;
}

} // namespace

Result<LabLog> mergedLogs(std::vector<NamedLog> logs)
{
    if (logs.empty()) {
        return Error{"no log was named; merging needs at least one"};
    }
    LabLog merged{.plan = logs.front().log.plan,
                  .machine = machinesOf(logs),
                  .program = logs.front().log.program,
                  .runs = {}};
    using Place = decltype(placeOf(merged.plan, RunKey{}));
    std::map<Place, LoggedRun> runs;
    for (NamedLog& each : logs) {
        if (const Status fits = belongTogether(logs.front(), each); !fits) {
            return fits.error();
        }
        merged.damagedLines += each.log.damagedLines;
        for (const auto& [arm, timing] : each.log.timings) {
            const auto [found, isNew] = merged.timings.try_emplace(arm, timing);
            if (!isNew && timing.stepSeconds < found->second.stepSeconds) {
                found->second = timing;
            }
        }
        for (LoggedRun& run : each.log.runs) {
            if (run.key.arm.empty()) {
                continue; // its first line was lost
            }
            const auto [found, isNew] = runs.try_emplace(placeOf(merged.plan, run.key), run);
            if (!isNew && isBetter(run, found->second)) {
                found->second = std::move(run);
            }
        }
    }
    for (auto& [place, run] : runs) {
        merged.runs.push_back(std::move(run));
    }
    return merged;
}

std::string logText(const LabLog& log)
{
    std::string text = headerLine(log.plan, log.machine, log.program);
    for (const auto& [arm, timing] : log.timings) {
        text += timingLine(arm, timing, static_cast<Count>(timing.stepFlops));
    }
    for (std::size_t i = 0; i < log.runs.size(); ++i) {
        text += runLines(i, log.runs[i]);
    }
    return text;
}

} // namespace flopsmith
