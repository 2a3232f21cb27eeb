// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/teach/format/lesson.h"

#include <string>
#include <string_view>

namespace flopsmith {

/// What the names of lesson files end with.
inline constexpr std::string_view kLessonSuffix = ".flopsmith-lesson";

/// Whether a lesson may lack what its author has not written yet: steps, expressions, goldens,
/// options, curves, the ends of a scale.
enum class Unfinished { refuse, keep };

/// The lesson of a file's text. An Error names the source, the step and what is wrong; unknown keys
/// are refused, except "comment", which is ignored everywhere. Expressions and paths are judged by
/// checkLesson().
Result<Lesson> readLesson(std::string_view text,
                          const std::string& sourceName,
                          Unfinished unfinished = Unfinished::refuse);

/// The lesson as readLesson() reads it, without comments.
std::string lessonJson(const Lesson& lesson);

/// A small lesson with a comment beside every key, for somebody who writes one.
std::string newLessonText(const std::string& id);

} // namespace flopsmith
