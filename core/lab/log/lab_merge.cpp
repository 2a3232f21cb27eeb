// SPDX-License-Identifier: MIT
#include "core/lab/log/lab_merge.h"

#include "core/base/printable.h"
#include "core/lab/plan/lab_file.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
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
        return Error{
            both
            + " are logs of different labs: task, sizes, arms, seeds or budget differ; logs "
              "of one plan can be merged"};
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

using RunPlace = decltype(placeOf(LabPlan{}, RunKey{}));

// The runs of the log that keeps its numbers, if one does.
std::vector<RunKey> fixedNumbers(const std::vector<NamedLog>& logs)
{
    std::vector<RunKey> keys;
    const auto found = std::ranges::find(logs, true, &NamedLog::keepsNumbers);
    if (found != logs.end()) {
        for (const LoggedRun& run : found->log.runs) {
            keys.push_back(run.key);
        }
    }
    return keys;
}

// A fixed number whose run is not known stays free, as in the log that has it.
std::vector<LoggedRun> numberedRuns(std::map<RunPlace, LoggedRun> runs,
                                    const LabPlan& plan,
                                    const std::vector<RunKey>& fixed)
{
    std::vector<LoggedRun> numbered(fixed.size());
    for (std::size_t i = 0; i < fixed.size(); ++i) {
        if (auto run = runs.extract(placeOf(plan, fixed[i])); !run.empty()) {
            numbered[i] = std::move(run.mapped());
        }
    }
    for (auto& [place, run] : runs) {
        numbered.push_back(std::move(run));
    }
    return numbered;
}

// Of two runs of one key, whether the first is the one to keep.
bool isBetter(const LoggedRun& run, const LoggedRun& other)
{
    const bool ended = run.end != RunEnd::open;
    if (ended != (other.end != RunEnd::open)) {
        return ended;
    }
    if (run.curves.count() != other.curves.count()) {
        return run.curves.count() > other.curves.count();
    }
    return runLines(0, run) < runLines(0, other);
}

// Timings of one log stay together, because only seconds of one machine can be compared. The log that
// timed the most arms wins, then the one from the faster machine.
bool isBetter(const ArmTimings& timings, const ArmTimings& others)
{
    const auto seconds = [](const ArmTimings& of) {
        double sum = 0.0;
        for (const auto& each : of) {
            sum += each.second.stepSeconds;
        }
        return sum;
    };
    return timings.size() != others.size() ? timings.size() > others.size()
                                           : seconds(timings) < seconds(others);
}

constexpr std::string_view kBetweenMachines = "; ";

// Each once: a merged log names several.
std::string machinesOf(const std::vector<NamedLog>& logs)
{
    std::set<std::string_view> machines;
    for (const NamedLog& each : logs) {
        std::string_view left = each.log.machine;
        while (!left.empty()) {
            const std::string_view machine = left.substr(0, left.find(kBetweenMachines));
            machines.insert(machine);
            left.remove_prefix(std::min(left.size(), machine.size() + kBetweenMachines.size()));
        }
    }
    std::string text;
    for (const std::string_view machine : machines) {
        text += text.empty() ? "" : kBetweenMachines;
        text += machine;
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
    const std::vector<RunKey> fixed = fixedNumbers(logs);
    std::map<RunPlace, LoggedRun> runs;
    for (NamedLog& each : logs) {
        FLOPSMITH_RETURN_IF_ERROR(belongTogether(logs.front(), each));
        merged.damagedLines += each.log.damagedLines;
        if (isBetter(each.log.timings, merged.timings)) {
            merged.timings = each.log.timings;
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
    merged.runs = numberedRuns(std::move(runs), merged.plan, fixed);
    return merged;
}

std::string logText(const LabLog& log)
{
    std::string text = headerLine(log.plan, log.machine, log.program).text();
    for (const auto& [arm, timing] : log.timings) {
        text += timingLine(arm, timing, static_cast<Count>(timing.stepFlops)).text();
    }
    for (std::size_t i = 0; i < log.runs.size(); ++i) {
        const bool hasBegun = !log.runs[i].key.arm.empty();
        text += hasBegun ? runLines(i, log.runs[i]) : "";
    }
    return text;
}

} // namespace flopsmith
