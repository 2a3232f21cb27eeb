// SPDX-License-Identifier: MIT
#include "core/lab/log/reused_runs.h"

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

bool isReusable(const LoggedRun& run, const LabPlan& before, const LabPlan& plan)
{
    const Arm* arm = plan.arm(run.key.arm);
    const Arm* own = before.arm(run.key.arm);
    return run.end != RunEnd::open && arm != nullptr && own != nullptr && arm->ffn == own->ffn
        && run.key.seed <= plan.seeds;
}

} // namespace

LabLog withPlan(const LabLog& log, const LabPlan& plan)
{
    LabLog reused{.plan = plan, .machine = log.machine, .program = log.program, .runs = {}};
    if (!trainsAlike(log.plan, plan)) {
        return reused;
    }
    // All arms say where the branches of each run end.
    const bool reusesSeeds = plan.branches.empty() || plan.arms == log.plan.arms;
    for (const LoggedRun& run : log.runs) {
        if (isReusable(run, log.plan, plan) && (run.key.seed == 0 || reusesSeeds)) {
            reused.runs.push_back(run);
        }
    }
    for (const auto& [arm, timing] : log.timings) {
        if (plan.arm(arm) != nullptr && log.plan.arm(arm) != nullptr
            && plan.arm(arm)->ffn == log.plan.arm(arm)->ffn) {
            reused.timings.emplace(arm, timing);
        }
    }
    return reused;
}

} // namespace flopsmith
