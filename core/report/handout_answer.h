// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/teach/format/lesson.h"
#include "core/teach/play/lesson_view.h"

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// The answer of a question as paper has it.
struct HandoutAnswer
{
    std::string text; ///< "C, FFN", "C, D, A, B", "4,718,592": without the unit
    std::string derivation; ///< "total() = 291,648,307,200"
};

/// `options` are the texts of the question's options in the language. The Error is the expression's.
Result<HandoutAnswer> handoutAnswer(const Ask& ask,
                                    const std::vector<std::string>& options,
                                    const LessonView& view,
                                    std::string_view language);

/// "total() = 291,648,307,200", with all digits of the value.
Result<std::string> derivationText(const std::string& expression,
                                   const LessonView& view,
                                   std::string_view language);

} // namespace flopsmith
