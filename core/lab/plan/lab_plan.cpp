// SPDX-License-Identifier: MIT
#include "core/lab/plan/lab_plan.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

namespace flopsmith {
namespace {

constexpr int kMaxSeeds = 100;
constexpr std::int64_t kMaxSteps = 10'000'000;
constexpr std::int64_t kWarmup = 50; ///< steps, or a tenth of a short run
constexpr double kLargestRate = 10.0;

Status hidesLabels(const LabPlan& plan)
{
    const TaskInfo& task = info(plan.task);
    if (plan.sizes.mixer == LabMixer::fourier && task.labelsAreLaterInputs) {
        return Error{"mixer: fourier sees all tokens, and the labels of the task "
                     + std::string(task.id)
                     + " are later ones; choose attention, or a task whose labels are no later "
                       "tokens, such as mqar or induction"};
    }
    return Done{};
}

} // namespace

template <>
std::vector<std::string_view> enumNames<LabPrecision>()
{
    return {"float32", "float64"};
}

template <>
std::vector<std::string_view> enumNames<LabView>()
{
    return {"steps", "flops", "seconds"};
}

std::optional<LabView> viewNamed(std::string_view name)
{
    const std::vector<std::string_view> names = enumNames<LabView>();
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? std::nullopt
                                : std::optional(static_cast<LabView>(found - names.begin()));
}

std::string_view viewName(LabView view)
{
    return view == LabView::flops ? "FLOPs" : enumName(view);
}

LabView LabPlan::ownView() const
{
    return budget.kind == BudgetKind::steps ? LabView::steps : LabView::flops;
}

bool LabPlan::coolsDownFor(LabView view) const
{
    return view == ownView() || std::ranges::find(branches, view) != branches.end();
}

const Arm* LabPlan::arm(std::string_view name) const
{
    const auto found =
        std::find_if(arms.begin(), arms.end(), [&](const Arm& each) { return each.name == name; });
    return found == arms.end() ? nullptr : &*found;
}

std::vector<Arm> LabPlan::chosenArms() const
{
    std::vector<Arm> chosen;
    for (const Arm& arm : arms) {
        if (arm.role == ArmRole::chosen) {
            chosen.push_back({.name = arm.name, .ffn = arm.ffn});
        }
    }
    return chosen;
}

Result<LabPlan> plannedLab(LabPlan plan, const std::vector<Arm>& chosen)
{
    FLOPSMITH_RETURN_IF_ERROR(validatedSizes(plan.sizes));
    FLOPSMITH_TRY(std::vector<Arm> arms, comparedArms(chosen, plan.sizes.dModel, plan.rivals));
    plan.arms = std::move(arms);
    std::erase(plan.branches, plan.ownView());
    std::ranges::sort(plan.branches);
    const auto repeated = std::ranges::unique(plan.branches);
    plan.branches.erase(repeated.begin(), repeated.end());
    FLOPSMITH_RETURN_IF_ERROR(validatedPlan(plan));
    return plan;
}

Status validatedPlan(const LabPlan& plan)
{
    FLOPSMITH_RETURN_IF_ERROR(validatedSizes(plan.sizes));
    if (const Status task = validatedTask(plan.task, plan.sizes.dModel); !task) {
        return Error{"task " + std::string(info(plan.task).id) + ": " + task.error().message};
    }
    FLOPSMITH_RETURN_IF_ERROR(hidesLabels(plan));
    if (plan.seeds < 1 || plan.seeds > kMaxSeeds) {
        return Error{"seeds: " + std::to_string(plan.seeds)
                     + " is not legal; it must be 1 \xE2\x80\xA6 100"};
    }
    const bool hasSteps = plan.budget.kind == BudgetKind::steps;
    if (hasSteps && (plan.budget.steps < 1 || plan.budget.steps > kMaxSteps)) {
        return Error{"budget: " + std::to_string(plan.budget.steps)
                     + " steps are not legal; it must be 1 \xE2\x80\xA6 10000000"};
    }
    if (!hasSteps && plan.budget.flops < 1) {
        return Error{"budget: the FLOPs of a run must be at least 1"};
    }
    if (!(plan.baseRate > 0.0) || plan.baseRate > kLargestRate) {
        return Error{"base_rate must be above 0 and at most 10"};
    }
    if (plan.evaluateEvery < 1) {
        return Error{"evaluate_every: " + std::to_string(plan.evaluateEvery)
                     + " steps are not legal; it must be at least 1"};
    }
    return Done{};
}

TrainingSettings settingsOf(const LabPlan& plan, double rate, std::int64_t steps)
{
    const TaskInfo& task = info(plan.task);
    const bool isTeacher = std::holds_alternative<TeacherTask>(plan.task);
    return {
        .rate = rate,
        .clip = 1.0,
        .optimizer = {.beta2 = task.beta2, .decay = task.decay},
        .schedule = {.steps = steps,
                     .warmup = std::min(kWarmup, steps / 10),
                     .decay = isTeacher && plan.branches.empty() ? Decay::cosine : Decay::linear}};
}

} // namespace flopsmith
