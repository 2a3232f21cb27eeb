// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/report/report.h"
#include "core/teach/lesson.h"

#include <string>

namespace flopsmith {

/// What a lesson's handout is asked for.
struct HandoutRequest
{
    Lesson lesson{};
    std::string language = "en"; ///< the lesson's nearest to it is taken
    bool answers = true; ///< on a last page
};

/// A lesson on paper: what its steps tell, their figures before the answer, and each question with
/// room for an answer. The last page has the answers: value, expression, the formula of the part that
/// the question reveals with its numbers put in, and the reason. The Error names the step whose
/// expression or design cannot be.
Result<Report> handoutOf(const HandoutRequest& request);

} // namespace flopsmith
