// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teach/play/lesson_play.h"

#include <QString>

namespace flopsmith::ui {

/// The text of a step, in the language that is played.
QString stepText(const LessonPlay& play, const LessonStep& step);

/// How good the prediction of the step was; empty without one.
QString verdictText(const LessonPlay& play);

/// The text after the last step.
QString scoreText(const LessonPlay& play);

} // namespace flopsmith::ui
