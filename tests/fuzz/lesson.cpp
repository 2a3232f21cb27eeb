// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/base/text_file.h"
#include "core/teach/format/lesson_reading.h"
#include "core/teach/play/lesson_play.h"
#include "core/teach/play/lesson_text.h"
#include "tests/fuzz/target.h"

// A lesson's file. What is read reads back the same when it is written, and its views and texts come
// to an end.
FLOPSMITH_FUZZ_READER(lesson)
{
    using namespace flopsmith;
    const Result<std::string> text = textOfBytes(std::string(asText(data, size)), "file");
    const Result<Lesson> lesson = text ? readLesson(*text, "file") : text.error();
    if (!lesson) {
        FLOPSMITH_CHECK(!lesson.error().message.empty());
        return 0;
    }
    const Result<Lesson> again = readLesson(lessonJson(*lesson), "again");
    FLOPSMITH_CHECK(again.ok());
    FLOPSMITH_CHECK(*again == *lesson);
    const Result<LessonPlay> play = LessonPlay::started(*lesson, "en");
    int trees = 200;
    for (const auto& entry : lesson->texts.begin()->second) {
        if (play && trees > 0) {
            const auto shown = textWithValues(entry.second, play->view().context, &trees);
            FLOPSMITH_CHECK(shown.ok() || !shown.error().message.empty());
        }
    }
    return 0;
}
