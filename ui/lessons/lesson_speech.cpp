// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_speech.h"

#include "ui/lessons/lesson_sentences.h"
#include "ui/lessons/questions/question_widget.h"

namespace flopsmith::ui {

LessonSpeech speechOf(const LessonPlay& play)
{
    LessonSpeech speech{.say = stepText(play, play.step())};
    if (!play.current().notes.empty()) {
        speech.notes = lessonText(play, play.current().notes);
    }
    if (!play.isAtEnd()) {
        speech.next = stepText(play, play.step() + 1);
    }
    return speech;
}

} // namespace flopsmith::ui
