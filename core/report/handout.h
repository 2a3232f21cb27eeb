// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/report/report.h"
#include "core/teach/format/lesson.h"

#include <string>

namespace flopsmith {

enum class HandoutAnswers {
    last, ///< on a page of their own behind all questions
    none,
    inPlace, ///< below each question
};

/// What a lesson's handout is asked for.
struct HandoutRequest
{
    Lesson lesson{};
    std::string language = "en"; ///< the lesson's nearest to it is taken
    HandoutAnswers answers = HandoutAnswers::last;
    bool forTeacher = false; ///< the boxes are filled, and what is for the lecturer stands in it
};

/// A lesson on paper: what its steps tell, what their pages show before the answer, and each question
/// with space for an answer. An answer has its value and expression, the formula of the part that the
/// question reveals with its numbers put in, what the page shows then, and the reason; behind all
/// answers stand the numbers that the lesson checks. Last comes the share code of the design that the
/// lesson starts from. The Error names the step whose expression or design cannot be.
Result<Report> handoutOf(const HandoutRequest& request);

} // namespace flopsmith
