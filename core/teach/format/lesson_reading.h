// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/teach/format/lesson.h"

#include <string>
#include <string_view>

namespace flopsmith {

/// Whether a lesson may lack steps, expressions, goldens, options, curves and the ends of a scale
/// that its author has not written yet.
enum class Unfinished { refuse, keep };

/// The lesson in a file's text. The Error names the source, the step and what is wrong; unknown
/// keys are an Error, except "comment", which is ignored everywhere. checkLesson() checks
/// expressions and paths.
Result<Lesson> readLesson(std::string_view text,
                          const std::string& sourceName,
                          Unfinished unfinished = Unfinished::refuse);

/// The lesson as readLesson() reads it, without comments.
std::string lessonJson(const Lesson& lesson);

/// A small lesson with a comment beside every key, for an author to start from.
std::string newLessonText(const std::string& id);

} // namespace flopsmith
