// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/teach/format/lesson.h"

#include <string>
#include <string_view>

namespace flopsmith {

/// Everything that the lesson would show, as plain text: each step's page, design, texts, answer and
/// reason, all questions revealed by the lecturer. The Error names the step.
Result<std::string> printedLesson(const Lesson& lesson, std::string_view language);

} // namespace flopsmith
