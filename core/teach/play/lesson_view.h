// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/teach/expression/expression.h"
#include "core/teach/format/lesson.h"

#include <optional>
#include <string>
#include <vector>

namespace flopsmith {

/// The view at a point of a lesson.
struct LessonView
{
    LessonContext context{}; ///< design, workload and lens
    std::string page = "stack"; ///< an id of lessonPages()
    std::string select{}; ///< a path of the cost tree; empty: no selection
    std::string zoom = "model";
    std::vector<Scenario> frozen{}; ///< ghosts, the oldest first

    bool operator==(const LessonView&) const = default;
};

/// The view after a change. The Error names the preset, lens, page, parameter or path that is
/// unknown or not legal.
Result<LessonView> viewAfter(const LessonView& view, const Shown& shown);

/// The view before the first step. Has the errors of viewAfter().
Result<LessonView> startViewOf(const Lesson& lesson);

/// A step's views before and after its answer.
struct StepViews
{
    LessonView before{};
    LessonView after{};
};

/// The views of a lesson up to the first one that cannot be shown.
struct ShownViews
{
    LessonView start{}; ///< before the first step
    std::vector<StepViews> steps{};
    /// Why the next step, or without `startIsShown` the start, cannot be shown; it names neither.
    std::optional<Error> problem{};
    bool startIsShown = true;

    /// The step of the problem, counted from 1; 0: the start.
    int problemStep() const { return startIsShown ? static_cast<int>(steps.size()) + 1 : 0; }

    /// The problem, of which there must be one, with its step.
    Error placedProblem() const;
};

ShownViews shownViews(const Lesson& lesson);

/// Of each step: the start and the `show` of all steps up to it, then its own `reveal`, which the
/// next step undoes. The Error names the step.
Result<std::vector<StepViews>> viewsOf(const Lesson& lesson);

} // namespace flopsmith
