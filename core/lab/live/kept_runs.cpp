// SPDX-License-Identifier: MIT
#include "core/lab/live/kept_runs.h"

namespace flopsmith {
namespace {

// Whether a run of one plan is a run of the other, as far as its arm is the same.
bool trainsAlike(LabPlan a, LabPlan b)
{
    for (LabPlan* plan : {&a, &b}) {
        plan->arms.clear();
        plan->seeds = 1;
    }
    return a == b;
}

bool isKept(const LoggedRun& run, const LabPlan& before, const LabPlan& plan)
{
    const Arm* arm = plan.arm(run.key.arm);
    const Arm* own = before.arm(run.key.arm);
    return run.end != RunEnd::open && arm != nullptr && own != nullptr && arm->ffn == own->ffn
        && run.key.seed <= plan.seeds;
}

std::string runText(std::size_t number, const LoggedRun& run)
{
    std::string text = startLine(number, run.key, run.steps, run.parameters);
    const auto steps = static_cast<std::int64_t>(run.losses.size());
    text += steps > 0 ? stepsLine(number, steps, run.losses, run.gradientNorms) : std::string();
    text += run.parts.empty() ? std::string() : partsLine(number, steps, run.parts);
    for (const LoggedPoint& point : run.points) {
        text += pointLine(number, point, static_cast<Count>(point.flops));
    }
    return run.end == RunEnd::open ? text : text + endLine(number, run.end, steps);
}

} // namespace

LabLog withPlan(const LabLog& log, const LabPlan& plan)
{
    LabLog kept{.plan = plan, .machine = log.machine, .runs = {}};
    if (!trainsAlike(log.plan, plan)) {
        return kept;
    }
    for (const LoggedRun& run : log.runs) {
        if (isKept(run, log.plan, plan)) {
            kept.runs.push_back(run);
        }
    }
    return kept;
}

std::string logText(const LabLog& log)
{
    std::string text = headerLine(log.plan, log.machine);
    for (std::size_t number = 0; number < log.runs.size(); ++number) {
        if (!log.runs[number].key.arm.empty()) {
            text += runText(number, log.runs[number]);
        }
    }
    return text;
}

} // namespace flopsmith
