// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/teach/expression.h"
#include "core/teach/lesson.h"

#include <string>
#include <vector>

namespace flopsmith {

/// What a person sees at a point of a lesson.
struct LessonView
{
    LessonContext context{}; ///< design, workload and lens
    std::string page = "stack"; ///< an id of lessonPages()
    std::string select{}; ///< a path of the cost tree; empty: nothing
    std::string zoom = "model";
    std::vector<Scenario> frozen{}; ///< ghosts, the oldest first

    bool operator==(const LessonView&) const = default;
};

/// The view after a change. The Error names the preset, lens, page, parameter or path that is
/// unknown or not legal.
Result<LessonView> viewAfter(const LessonView& view, const Shown& shown);

/// What step `step` shows before its answer: the start and the `show` of all steps up to it. What
/// earlier questions revealed is undone.
Result<LessonView> viewAt(const Lesson& lesson, int step);

/// The same with the step's own reveal.
Result<LessonView> revealedViewAt(const Lesson& lesson, int step);

} // namespace flopsmith
