// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teach/play/lesson_play.h"

#include <QString>

namespace flopsmith::ui {

/// What the lecturer alone sees beside a lesson.
struct LessonSpeech
{
    QString say; ///< what the panel shows
    QString notes; ///< empty where there are none
    QString next; ///< the text of the next step; empty on the last one
    QString votes; ///< a line for each vote
};

/// Of the current step; the panel knows the votes.
LessonSpeech speechOf(const LessonPlay& play);

} // namespace flopsmith::ui
