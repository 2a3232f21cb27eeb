// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/teach/author/lesson_check.h"
#include "core/teach/format/lesson.h"

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

// Edits of a lesson that may be unfinished. Steps, options and curves are counted from 0; each must
// exist.
namespace flopsmith {

/// A lesson of five minutes in English that starts with GPT-2 and has one say step.
Lesson newLesson(const std::string& id);

/// Inserts a step before the one at `at`: a question of the kind, or without a kind a say step. Its
/// texts do not exist in any language yet.
void insertStep(Lesson& lesson, int at, std::optional<QuestionKind> kind);

/// Inserts a copy with its own texts after the step. It does not change the view.
void duplicateStep(Lesson& lesson, int step);

/// Removes the step and the texts that only it uses. The next step shows the same view as before,
/// if a lesson can express it.
void removeStep(Lesson& lesson, int step);

/// Moves a step to the index `to`. All steps show the same views as before, if a lesson can express
/// them.
void moveStep(Lesson& lesson, int from, int to);

/// Sets a text in one language; an empty one is removed. Control characters become blanks, and a
/// text is cut at the maximum length.
void setText(Lesson& lesson,
             const std::string& language,
             const std::string& key,
             std::string_view text);

enum class StepText { text, notes, why };

/// The key of a text of the step; empty if it has none.
const std::string& textKey(const LessonStep& step, StepText which);

/// Sets a text of the step. Notes and reasons that no language has any more are taken from the step.
void setStepText(Lesson& lesson,
                 int step,
                 StepText which,
                 const std::string& language,
                 std::string_view text);

/// For a choice or an order, and for a sketch; at the maximum number nothing is added.
void addOption(Lesson& lesson, int step);
void removeOption(Lesson& lesson, int step, int option);
void addCurve(Lesson& lesson, int step);
void removeCurve(Lesson& lesson, int step, int curve);

/// An Error if it is not the name of a language, or exists already.
Status addLanguage(Lesson& lesson, const std::string& language);

/// The last language stays.
void removeLanguage(Lesson& lesson, const std::string& language);

/// The exact text of the value of a step's answer, for use as its golden, under the lesson's views.
Result<std::string> answerText(const Lesson& lesson, const ShownViews& views, int step);

/// Takes the values as they are now for the goldens of the step's answer and texts.
Status takeGoldens(Lesson& lesson, int step);

/// The missing parts of a lesson and the problems that checkLesson() finds, by step. Empty if the
/// lesson can be played and is right.
std::vector<LessonProblem> draftProblems(const Lesson& lesson,
                                         const ShownViews& views,
                                         const std::stop_token& stop = {});

} // namespace flopsmith
