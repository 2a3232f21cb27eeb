// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teach/author/lesson_editing.h"

#include "core/base/random.h"
#include "core/teach/format/installed_lessons.h"
#include "core/teach/format/lesson_reading.h"
#include "core/teach/play/lesson_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace flopsmith {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::array kKinds{QuestionKind::choice,
                            QuestionKind::number,
                            QuestionKind::order,
                            QuestionKind::sketch,
                            QuestionKind::build};

std::string draftProblemsOf(const Lesson& lesson)
{
    std::string all;
    for (const LessonProblem& problem : draftProblems(lesson, shownViews(lesson))) {
        all += problem.text() + "\n";
    }
    return all;
}

Lesson threeSteps()
{
    Lesson lesson = newLesson("three");
    insertStep(lesson, 1, std::nullopt);
    insertStep(lesson, 2, std::nullopt);
    lesson.steps[1].show = {.page = "scaling", .set = {{"seq", "2048"}}};
    lesson.steps[2].show = {.page = "memory", .set = {{"d_ff", "1024"}}};
    return lesson;
}

std::vector<LessonView> viewsBefore(const Lesson& lesson)
{
    std::vector<LessonView> views;
    for (const StepViews& step : shownViews(lesson).steps) {
        views.push_back(step.before);
    }
    return views;
}

TEST(LessonEditing, ANewLessonIsRightAsItIs)
{
    EXPECT_EQ(draftProblemsOf(newLesson("mine")), "");
}

TEST(LessonEditing, WhatIsUnfinishedIsNamedByStepAndReadBack)
{
    for (const QuestionKind kind : kKinds) {
        Lesson lesson = newLesson("mine");
        insertStep(lesson, 1, kind);

        EXPECT_THAT(draftProblemsOf(lesson), HasSubstr("step 2: "));
        const Result<Lesson> kept = readLesson(lessonJson(lesson), "x", Unfinished::keep);
        ASSERT_TRUE(kept) << kept.error().message;
        EXPECT_EQ(*kept, lesson);
        EXPECT_FALSE(readLesson(lessonJson(lesson), "x"));
    }
}

TEST(LessonEditing, ALessonWithoutStepsIsReadBackToo)
{
    Lesson lesson = newLesson("mine");
    removeStep(lesson, 0);

    EXPECT_THAT(draftProblemsOf(lesson), HasSubstr("no steps"));
    EXPECT_EQ(*readLesson(lessonJson(lesson), "x", Unfinished::keep), lesson);
}

TEST(LessonEditing, AFinishedQuestionHasNoProblem)
{
    Lesson lesson = newLesson("mine");
    insertStep(lesson, 1, QuestionKind::number);
    setStepText(lesson, 1, StepText::text, "en", "How many FLOPs?");
    std::get<Ask>(lesson.steps[1].content).answer.expression = "total()";
    EXPECT_THAT(draftProblemsOf(lesson), HasSubstr("take its value"));

    EXPECT_EQ(*answerText(lesson, shownViews(lesson), 1), "291648307200");
    ASSERT_TRUE(takeGoldens(lesson, 1));

    EXPECT_EQ(draftProblemsOf(lesson), "");
}

TEST(LessonEditing, AWrongExpressionTakesNoGolden)
{
    Lesson lesson = newLesson("mine");
    insertStep(lesson, 1, QuestionKind::number);
    std::get<Ask>(lesson.steps[1].content).answer.expression = "total(";
    const Lesson before = lesson;

    EXPECT_FALSE(answerText(lesson, shownViews(lesson), 1));
    EXPECT_FALSE(takeGoldens(lesson, 1));
    EXPECT_EQ(lesson, before);
}

TEST(LessonEditing, AStepThatIsMovedShowsWhatItHasShown)
{
    for (int from = 0; from < 3; ++from) {
        for (int to = 0; to < 3; ++to) {
            Lesson lesson = threeSteps();
            std::vector<LessonView> wanted = viewsBefore(lesson);
            const LessonView moved = wanted[static_cast<std::size_t>(from)];
            wanted.erase(wanted.begin() + from);
            wanted.insert(wanted.begin() + to, moved);

            moveStep(lesson, from, to);

            EXPECT_EQ(viewsBefore(lesson), wanted) << from << " to " << to;
        }
    }
}

TEST(LessonEditing, AfterARemovedStepTheNextShowsWhatItHasShown)
{
    Lesson lesson = threeSteps();
    const LessonView last = viewsBefore(lesson).back();

    removeStep(lesson, 1);

    EXPECT_EQ(viewsBefore(lesson).back(), last);
    EXPECT_EQ(lesson.steps.size(), 2U);
}

TEST(LessonEditing, ACopyHasTextsOfItsOwn)
{
    Lesson lesson = newLesson("mine");
    setStepText(lesson, 0, StepText::notes, "en", "Slowly.");

    duplicateStep(lesson, 0);
    setStepText(lesson, 1, StepText::text, "en", "Other");

    EXPECT_EQ(lesson.text("en", textKey(lesson.steps[1], StepText::notes)), "Slowly.");
    EXPECT_NE(lesson.text("en", textKey(lesson.steps[0], StepText::text)), "Other");
    EXPECT_EQ(viewsBefore(lesson)[0], viewsBefore(lesson)[1]);
}

TEST(LessonEditing, TextsGoWithTheirStep)
{
    Lesson lesson = newLesson("mine");
    const LessonTexts before = lesson.texts["en"];
    insertStep(lesson, 1, QuestionKind::choice);
    for (const std::string& key : textKeys(lesson.steps[1])) {
        setText(lesson, "en", key, "text");
    }

    removeStep(lesson, 1);

    EXPECT_EQ(lesson.texts["en"], before);
}

TEST(LessonEditing, ATextThatIsTakenAwayLeavesNoKey)
{
    Lesson lesson = newLesson("mine");
    setStepText(lesson, 0, StepText::notes, "en", "Slowly.");
    setStepText(lesson, 0, StepText::notes, "en", "");

    EXPECT_EQ(lesson, newLesson("mine"));
}

TEST(LessonEditing, HostileTextsAreReadBack)
{
    Lesson lesson = newLesson("mine");
    const std::string umlauts(5'000, '\xC3');
    setStepText(lesson, 0, StepText::text, "en", "bell \a, {{braces}}, \xFF\xFE, \"quotes\"");
    setText(lesson, "en", "summary", std::string(3'999, 'a') + "\xC3\xA4\xC3\xA4");
    setText(lesson, "en", "title", umlauts);

    const Result<Lesson> read = readLesson(lessonJson(lesson), "x", Unfinished::keep);

    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, lesson);
}

TEST(LessonEditing, LanguagesAreAddedAndTheLastOneStays)
{
    Lesson lesson = newLesson("mine");
    EXPECT_TRUE(addLanguage(lesson, "de"));
    EXPECT_FALSE(addLanguage(lesson, "de"));
    EXPECT_FALSE(addLanguage(lesson, ""));
    EXPECT_FALSE(addLanguage(lesson, "comment"));
    EXPECT_THAT(draftProblemsOf(lesson), HasSubstr("(de)"));

    removeLanguage(lesson, "de");
    removeLanguage(lesson, "en");

    EXPECT_EQ(lesson, newLesson("mine"));
}

TEST(LessonEditing, OptionsAndCurvesKeepWithinWhatAFileMayHave)
{
    Lesson lesson = newLesson("mine");
    insertStep(lesson, 0, QuestionKind::choice);
    insertStep(lesson, 1, QuestionKind::sketch);
    for (int i = 0; i < 20; ++i) {
        addOption(lesson, 0);
        addCurve(lesson, 1);
    }
    EXPECT_EQ(lesson.steps[0].ask()->options.size(), kMaxLessonChoices);
    EXPECT_EQ(lesson.steps[1].ask()->curves.size(), kMaxLessonCurves);
    EXPECT_EQ(*readLesson(lessonJson(lesson), "x", Unfinished::keep), lesson);

    removeOption(lesson, 0, 4);
    removeCurve(lesson, 1, 0);

    EXPECT_EQ(lesson.steps[0].ask()->options.size(), 4U);
    EXPECT_EQ(lesson.steps[1].ask()->curves.size(), 3U);
}

TEST(LessonEditing, ThoseOfTheProgramHaveNoProblem)
{
    ASSERT_FALSE(installedLessons().empty());
    const InstalledText& first = installedLessons().front();
    const Result<Lesson> lesson = readLesson(first.text, "first");
    ASSERT_TRUE(lesson);

    EXPECT_THAT(draftProblems(*lesson, shownViews(*lesson)), IsEmpty());
}

TEST(LessonEditing, AnyEditsAreReadBack)
{
    Random random(7);
    Lesson lesson = newLesson("mine");
    for (int edit = 0; edit < 150; ++edit) {
        const int count = static_cast<int>(lesson.steps.size());
        const auto step = static_cast<int>(random.integer(0, std::max(0, count - 1)));
        const auto other = static_cast<int>(random.integer(0, std::max(0, count - 1)));
        switch (random.integer(0, 5)) {
        case 0: insertStep(lesson, step, kKinds.at(static_cast<std::size_t>(edit % 5))); break;
        case 1: insertStep(lesson, step, std::nullopt); break;
        case 2:
            if (count > 0) {
                duplicateStep(lesson, step);
            }
            break;
        case 3:
            if (count > 0) {
                removeStep(lesson, step);
            }
            break;
        case 4:
            if (count > 0) {
                moveStep(lesson, step, other);
            }
            break;
        default:
            if (count > 0) {
                setStepText(lesson, step, StepText::notes, "en", edit % 2 == 0 ? "n" : "");
            }
        }
        ASSERT_EQ(*readLesson(lessonJson(lesson), "x", Unfinished::keep), lesson);
    }
}

} // namespace
} // namespace flopsmith
