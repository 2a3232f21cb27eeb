// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teach/play/lesson_play.h"

#include <QString>

namespace flopsmith::ui {

/// The text of a step, counted from 0, in the language that is played and with the values of its design.
QString stepText(const LessonPlay& play, int step);

/// How good the prediction of the step was; empty without one.
QString verdictText(const LessonPlay& play);

/// The text after the last step.
QString scoreText(const LessonPlay& play);

} // namespace flopsmith::ui
