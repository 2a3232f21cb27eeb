// SPDX-License-Identifier: GPL-3.0-or-later
// The lessons of resources/lessons.
#include "core/base/file_suffix.h"
#include "core/teach/author/lesson_check.h"
#include "core/teach/format/installed_lessons.h"
#include "core/teach/format/lesson_reading.h"
#include "core/teach/play/lesson_play.h"
#include "core/teach/play/lesson_view.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith {
namespace {

std::vector<Lesson> shippedLessons()
{
    std::vector<Lesson> lessons;
    for (const InstalledText& installed : installedLessons()) {
        const Result<Lesson> lesson = readLesson(installed.text, std::string(installed.fileName));
        EXPECT_TRUE(lesson.ok()) << (lesson ? "" : lesson.error().message);
        lessons.push_back(lesson ? *lesson : Lesson{});
    }
    return lessons;
}

TEST(ShippedLessons, AreTenNamedByTheirPlaceAndId)
{
    const std::vector<Lesson> lessons = shippedLessons();

    ASSERT_EQ(lessons.size(), 10U);
    for (std::size_t i = 0; i < lessons.size(); ++i) {
        const std::string number = std::to_string(i + 1);
        EXPECT_EQ(installedLessons()[i].fileName,
                  std::string(2 - number.size(), '0') + number + "-" + lessons[i].id
                      + std::string(kLessonSuffix));
    }
}

// Every answer and every inserted number, in every language.
TEST(ShippedLessons, SayWhatIsSo)
{
    for (const Lesson& lesson : shippedLessons()) {
        for (const LessonProblem& problem : checkLesson(lesson)) {
            ADD_FAILURE() << lesson.id << ": " << problem.text();
        }
    }
}

// A lecturer reads the next step's text while this one is shown.
TEST(ShippedLessons, SayTheSameOfAStepBeforeItIsShown)
{
    const auto keyOf = [](const LessonStep& step) {
        return step.say() != nullptr ? step.say()->text : step.ask()->text;
    };
    for (const Lesson& lesson : shippedLessons()) {
        const LessonPlay before = *LessonPlay::started(lesson, "en");
        LessonPlay play = *LessonPlay::started(lesson, "en");
        for (int step = 0; step < play.steps(); ++step) {
            play.goTo(step);
            const std::string key = keyOf(play.current());
            EXPECT_EQ(before.text(key, step).value(), play.text(key).value()) << lesson.id << step;
        }
    }
}

// Four minutes for each question: a vote, two minutes of talking, a second vote, the answer.
TEST(ShippedLessons, SayHowLongTheirQuestionsTake)
{
    constexpr auto kMinutesOfAQuestion = 4;
    for (const Lesson& lesson : shippedLessons()) {
        const auto questions =
            std::count_if(lesson.steps.begin(), lesson.steps.end(), [](const LessonStep& step) {
                return step.ask() != nullptr;
            });
        EXPECT_EQ(lesson.minutes, kMinutesOfAQuestion * questions) << lesson.id;
    }
}

TEST(ShippedLessons, HaveAFewStepsInEnglishAndGerman)
{
    for (const Lesson& lesson : shippedLessons()) {
        EXPECT_GE(lesson.steps.size(), 5U) << lesson.id;
        EXPECT_LE(lesson.steps.size(), 9U) << lesson.id;
        EXPECT_TRUE(lesson.texts.contains("en")) << lesson.id;
        EXPECT_TRUE(lesson.texts.contains("de")) << lesson.id;
    }
}

// What stands on these pages may be asked for: the costs of the stack are hidden meanwhile.
TEST(ShippedLessons, DoNotShowTheColumnOfAnAnswerBeforeIt)
{
    for (const Lesson& lesson : shippedLessons()) {
        const Result<std::vector<StepViews>> views = viewsOf(lesson);
        ASSERT_TRUE(views.ok()) << lesson.id;
        for (std::size_t i = 0; i < views->size(); ++i) {
            const bool asks = lesson.steps[i].ask() != nullptr;
            const std::string& page = views->at(i).before.page;
            const bool tellsAll = page == "claims" || page == "compare" || page == "formulas";
            EXPECT_FALSE(asks && tellsAll) << lesson.id << ", step " << i + 1 << ": " << page;
        }
    }
}

// They tell, ask, explain each answer beside what shows it, and end with a sentence to take home.
TEST(ShippedLessons, TellAskRevealAndExplain)
{
    for (const Lesson& lesson : shippedLessons()) {
        ASSERT_FALSE(lesson.steps.empty());
        EXPECT_NE(lesson.steps.front().say(), nullptr) << lesson.id;
        EXPECT_NE(lesson.steps.back().say(), nullptr) << lesson.id;
        int questions = 0;
        for (const LessonStep& step : lesson.steps) {
            EXPECT_FALSE(step.notes.empty()) << lesson.id;
            if (step.ask() != nullptr) {
                ++questions;
                EXPECT_TRUE(step.reveal.page.has_value()) << lesson.id;
                EXPECT_FALSE(step.why.empty()) << lesson.id;
            }
        }
        EXPECT_GE(questions, 2) << lesson.id;
    }
}

} // namespace
} // namespace flopsmith
