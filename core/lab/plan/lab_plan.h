// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/count.h"
#include "core/base/field.h"
#include "core/lab/plan/arms.h"
#include "core/lab/plan/lab_sizes.h"
#include "core/lab/plan/task_spec.h"
#include "core/train/settings/training_settings.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

enum class BudgetKind { steps, flops };

/// Where a run ends. Every arm has as many steps as the budget allows, and cools down at their end.
struct LabBudget
{
    BudgetKind kind = BudgetKind::steps;
    std::int64_t steps = 500;
    Count flops = 0; ///< lens exact

    bool operator==(const LabBudget&) const = default;
};

enum class LabPrecision { float32, float64 };

template <>
std::vector<std::string_view> enumNames<LabPrecision>();

/// What is equal where arms are compared: three views of one log.
enum class LabView { steps, flops, seconds };

template <>
std::vector<std::string_view> enumNames<LabView>();

/// By its name in files and on the command line.
std::optional<LabView> viewNamed(std::string_view name);

/// "steps", "FLOPs" or "seconds": what is equal, for a person.
std::string_view viewName(LabView view);

/// What a lab compares, and how.
struct LabPlan
{
    TaskSpec task = TeacherTask{};
    LabSizes sizes{};
    std::vector<Arm> arms; ///< of comparedArms()
    int seeds = 5; ///< 1 … seeds; 0 tunes
    LabBudget budget{};
    double baseRate = 3e-3;
    bool tunes = true; ///< else every arm learns at the base rate
    int evaluateEvery = 50; ///< steps
    LabPrecision precision = LabPrecision::float32;
    /// Views other than the budget's whose models cool down too, each in a branch of its own;
    /// ascending. Other views are cuts.
    std::vector<LabView> branches{};
    bool rivals = true; ///< chosen arms get FLOP-matched dense ones

    bool operator==(const LabPlan&) const = default;

    const Arm* arm(std::string_view name) const;

    /// The chosen arms alone, from which plannedLab() makes the others.
    std::vector<Arm> chosenArms() const;

    /// The view in which all runs end.
    LabView ownView() const;

    /// Whether models that a view compares have cooled down.
    bool coolsDownFor(LabView view) const;
};

/// A plan with the chosen arms, their rivals and the controls.
Result<LabPlan> plannedLab(LabPlan plan, const std::vector<Arm>& chosen);

/// Sentences for what is out of bounds.
Status validatedPlan(const LabPlan& plan);

/// The settings of a run of `steps` steps. Students of a teacher follow a cosine, unless runs have
/// branches, which need a constant rate before them.
TrainingSettings settingsOf(const LabPlan& plan, double rate, std::int64_t steps);

} // namespace flopsmith
