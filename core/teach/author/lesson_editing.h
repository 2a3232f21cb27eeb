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
// be there.
namespace flopsmith {

/// A lesson of five minutes in English that starts with GPT-2 and says one thing.
Lesson newLesson(const std::string& id);

/// Puts a step before the one at `at`: a question of the kind, or without one a step that says
/// something. Its texts are there in no language yet.
void insertStep(Lesson& lesson, int at, std::optional<QuestionKind> kind);

/// Puts a copy with texts of its own behind the step. It changes nothing of what is shown.
void duplicateStep(Lesson& lesson, int step);

/// Removes the step and the texts that only it has. The next step shows what it has shown before, if
/// a lesson can say that.
void removeStep(Lesson& lesson, int step);

/// Moves a step to the place `to`. All steps show what they have shown before, if a lesson can say
/// that.
void moveStep(Lesson& lesson, int from, int to);

/// Sets a text of one language; an empty one is taken away. Control characters become blanks, and
/// what is longer than a lesson's text may be is cut.
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

/// Of a choice or an order, and of a sketch; beyond the most that a file may have nothing is added.
void addOption(Lesson& lesson, int step);
void removeOption(Lesson& lesson, int step, int option);
void addCurve(Lesson& lesson, int step);
void removeCurve(Lesson& lesson, int step, int curve);

/// The Error says that it is no name of a language or there already.
Status addLanguage(Lesson& lesson, const std::string& language);

/// The last language stays.
void removeLanguage(Lesson& lesson, const std::string& language);

/// The exact text of the value of a step's answer: what its golden is to be.
Result<std::string> answerText(const Lesson& lesson, int step);

/// Takes the values as they are now for the goldens of the step's answer and texts.
Status takeGoldens(Lesson& lesson, int step);

/// What is missing and what checkLesson() finds, by step. Empty if the lesson can be played and is
/// right.
std::vector<LessonProblem> draftProblems(const Lesson& lesson, const std::stop_token& stop = {});

} // namespace flopsmith
