// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teach/play/lesson_play.h"

#include <QString>

namespace flopsmith::ui {

/// What a step says or asks, in the language that is played.
QString stepText(const LessonPlay& play, const LessonStep& step);

/// How good the prediction of the step was; empty without one.
QString verdictText(const LessonPlay& play);

/// What is said behind the last step.
QString scoreText(const LessonPlay& play);

} // namespace flopsmith::ui
