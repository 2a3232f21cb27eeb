// SPDX-License-Identifier: MIT
#pragma once

#include "core/teach/format/lesson.h"
#include "core/teach/play/lesson_view.h"

#include <stop_token>
#include <string>
#include <vector>

namespace flopsmith {

/// A problem of a lesson.
struct LessonProblem
{
    int step = 0; ///< counted from 1; 0: of the whole lesson
    std::string language{}; ///< empty: of all
    std::string sentence{};

    bool operator==(const LessonProblem&) const = default;

    /// "step 3 (de): …".
    std::string text() const;
};

/// Plays the lesson from start to end in every language and checks that all texts exist in all
/// languages, all inserted values can be computed, all answers equal their goldens, all pages,
/// presets, parameters and paths exist, each question's answer scores as right, and the example of
/// a build meets its predicate, which the step's design does not. Empty if there is no problem; if
/// the check is stopped, the problems found so far.
std::vector<LessonProblem> checkLesson(const Lesson& lesson, const std::stop_token& stop = {});

/// The same of a lesson whose views are known.
std::vector<LessonProblem> checkLesson(const Lesson& lesson,
                                       const ShownViews& views,
                                       const std::stop_token& stop);

} // namespace flopsmith
