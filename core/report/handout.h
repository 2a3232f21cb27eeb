// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/report/report.h"
#include "core/teach/format/lesson.h"

#include <string>

namespace flopsmith {

enum class HandoutAnswers {
    last, ///< on separate pages after all questions
    none,
    inPlace, ///< below each question
};

/// The request for a lesson's handout.
struct HandoutRequest
{
    Lesson lesson{};
    std::string language = "en"; ///< the lesson's nearest to it is taken
    HandoutAnswers answers = HandoutAnswers::last;
    bool forTeacher = false; ///< boxes are filled, and the lecturer's notes are included
};

/// A lesson on paper: the texts of its steps, their pages before the answer, and each question with
/// space for an answer. An answer has its value and expression, the formula of the part that the
/// question reveals with numbers substituted, the page after the answer, and the explanation; after
/// all answers follow the numbers that the lesson checks. Last comes the share code of the lesson's
/// start design. The Error names the step whose expression or design is invalid.
Result<Report> handoutOf(const HandoutRequest& request);

} // namespace flopsmith
