// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teach/play/lesson_play.h"

namespace flopsmith::ui::test {

/// A lesson with a step of each kind, in two languages.
inline Lesson sampleLesson()
{
    LessonTexts english{{"title", "A sample"},
                        {"summary", "One step of each kind"},
                        {"say", "A model of {total():si}FLOPs."},
                        {"notes", "Speak slowly."},
                        {"question", "Which?"},
                        {"why", "Because it is counted."},
                        {"a", "the attention of all blocks together, with its projections"},
                        {"b", "the feed-forward networks"},
                        {"c", "the head"}};
    LessonTexts german = english;
    german["title"] = "Ein Beispiel";
    german["question"] = "Welches?";
    const Shown longer{.page = "scaling", .set = {{"sequence", "2048"}}};
    const std::vector<std::string> options{"a", "b", "c"};
    Lesson lesson{.id = "sample",
                  .minutes = 5,
                  .texts = {{"en", english}, {"de", german}},
                  .start = {.page = "share", .model = "gpt2", .lens = "matmul"}};
    lesson.steps = {
        {.content = Say{"say"}, .notes = "notes"},
        {.content = Ask{.kind = QuestionKind::choice,
                        .text = "question",
                        .answer = {"2", "2"},
                        .options = options},
         .show = longer,
         .reveal = {.page = "memory"},
         .why = "why"},
        {.content = Ask{.kind = QuestionKind::number,
                        .text = "question",
                        .answer = {"total()", ""},
                        .unit = "FLOPs",
                        .from = 1e9,
                        .to = 1e15}},
        {.content = Ask{.kind = QuestionKind::order,
                        .text = "question",
                        .answer = {"order(1, 3, 2)", ""},
                        .options = options}},
        {.content = Ask{.kind = QuestionKind::build,
                        .text = "question",
                        .answer = {"value('layers') < 12", "true"}}},
        {.content = Ask{.kind = QuestionKind::sketch,
                        .text = "question",
                        .answer = {"1", "1"},
                        .axis = {"sequence", 128, 4096},
                        .curves = {{"a", "flops('attention')"}, {"b", "flops('ffn')"}}}}};
    return lesson;
}

} // namespace flopsmith::ui::test
