// SPDX-License-Identifier: MIT
#include "core/lab/run/joined_logs.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace flopsmith {
namespace {

bool isFurther(const LoggedRun& a, const LoggedRun& b)
{
    return std::tuple(a.end != RunEnd::open, a.losses.size())
        > std::tuple(b.end != RunEnd::open, b.losses.size());
}

void addRun(const LoggedRun& run, std::vector<LoggedRun>& runs)
{
    const auto known = std::ranges::find(runs, run.key, &LoggedRun::key);
    if (known == runs.end()) {
        runs.push_back(run);
    } else if (isFurther(run, *known)) {
        *known = run;
    }
}

std::string linesOf(std::size_t number, const LoggedRun& run)
{
    const std::int64_t steps = std::ssize(run.losses);
    std::string text = startLine(number, run.key, run.steps, run.parameters);
    text += steps > 0 ? stepsLine(number, steps, run.losses, run.gradientNorms) : "";
    for (const LoggedPoint& point : run.points) {
        text += pointLine(number, point, static_cast<Count>(point.flops));
    }
    return run.end == RunEnd::open ? text : text + endLine(number, run.end, steps);
}

// Each machine once, in the order of the logs.
std::string machinesOf(const std::vector<LabLog>& logs)
{
    std::vector<std::string> machines;
    std::string text;
    for (const LabLog& log : logs) {
        if (std::ranges::find(machines, log.machine) == machines.end()) {
            machines.push_back(log.machine);
            text += (text.empty() ? "" : " and ") + log.machine;
        }
    }
    return text;
}

} // namespace

Result<std::string> joinedLogs(const std::vector<LabLog>& logs)
{
    if (logs.empty()) {
        return Error{"there is no log to join"};
    }
    std::vector<LoggedRun> runs;
    for (const LabLog& log : logs) {
        if (!(log.plan == logs.front().plan)) {
            return Error{"the logs are of different labs"};
        }
        for (const LoggedRun& run : log.runs) {
            if (!run.key.arm.empty()) {
                addRun(run, runs);
            }
        }
    }
    std::string text = headerLine(logs.front().plan, machinesOf(logs));
    for (std::size_t i = 0; i < runs.size(); ++i) {
        text += linesOf(i, runs[i]);
    }
    return text;
}

} // namespace flopsmith
