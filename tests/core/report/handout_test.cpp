// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/handout.h"

#include "core/base/text.h"
#include "core/report/report_text.h"
#include "core/teach/lesson_reading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace flopsmith {
namespace {

using testing::HasSubstr;
using testing::Not;

Lesson smallLesson()
{
    return readLesson(newLessonText("small"), "small").value();
}

std::string handoutText(bool answers)
{
    const Report report = handoutOf({.lesson = smallLesson(), .answers = answers}).value();
    return markdownReport(report, [](const ReportFigure& figure) { return figure.name; });
}

std::size_t boxesIn(const Report& report)
{
    return static_cast<std::size_t>(
        std::count_if(report.blocks.begin(), report.blocks.end(), [](const ReportBlock& block) {
            return std::holds_alternative<ReportAnswerBox>(block);
        }));
}

TEST(Handout, HasABoxForEveryQuestion)
{
    const Lesson lesson = smallLesson();
    const auto questions = static_cast<std::size_t>(
        std::count_if(lesson.steps.begin(), lesson.steps.end(), [](const LessonStep& step) {
            return step.ask() != nullptr;
        }));

    EXPECT_GT(questions, 0);
    EXPECT_EQ(boxesIn(*handoutOf({.lesson = lesson, .answers = true})), questions);
    EXPECT_EQ(boxesIn(*handoutOf({.lesson = lesson, .answers = false})), questions);
}

TEST(Handout, HasAnswersOnlyIfAskedFor)
{
    const std::string number = groupedDigits(660'606'025'728); // of twice the sequence

    EXPECT_THAT(handoutText(true), HasSubstr("## Answers"));
    EXPECT_THAT(handoutText(true), HasSubstr(number));
    EXPECT_THAT(handoutText(false), Not(HasSubstr("## Answers")));
    EXPECT_THAT(handoutText(false), Not(HasSubstr(number)));
}

TEST(Handout, NamesTheChosenOption)
{
    EXPECT_THAT(handoutText(true), HasSubstr("B, the feed-forward networks"));
}

std::string formulaIn(const Lesson& lesson)
{
    const Report report = handoutOf({.lesson = lesson}).value();
    for (const ReportBlock& block : report.blocks) {
        if (const auto* formula = std::get_if<ReportFormula>(&block)) {
            return formula->of;
        }
    }
    return {};
}

TEST(Handout, HasTheFormulaOfThePartThatIsSelected)
{
    Lesson lesson = smallLesson();
    EXPECT_EQ(formulaIn(lesson), "blocks[0]/ffn");

    lesson.start.set.emplace_back("phase", "train");
    lesson.steps[1].reveal.select = "backward/blocks/ffn";
    EXPECT_EQ(formulaIn(lesson), "backward/blocks[0]/ffn");
}

TEST(Handout, ReasonsSeeTheQuestionsDesign)
{
    Lesson lesson = smallLesson();
    lesson.texts["en"]["double_why"] = "Of {value('seq')} tokens.";
    const Report report = handoutOf({.lesson = lesson}).value();

    EXPECT_THAT(markdownReport(report, [](const ReportFigure& figure) { return figure.name; }),
                HasSubstr("Of " + groupedDigits(1024) + " tokens."));
}

TEST(Handout, APredicateNeedNotMakeSenseForTheDesignThatIsShown)
{
    Lesson lesson = smallLesson();
    Ask& build = std::get<Ask>(lesson.steps.back().content);
    build.answer.expression = "1 / (value('seq') - 1024) > 0";
    EXPECT_THAT(handoutOf({.lesson = lesson}).error().message, HasSubstr("divided by zero"));

    build.example.set.emplace_back("sequence", "2048");
    EXPECT_TRUE(handoutOf({.lesson = lesson}).ok());
}

TEST(Handout, HeadsALessonThatStartsFromANewModel)
{
    Lesson lesson = smallLesson();
    lesson.start.model.reset();
    lesson.start.set.clear();
    lesson.steps = {LessonStep{.content = Say{"hello"}}};
    EXPECT_TRUE(handoutOf({.lesson = lesson}).ok());

    lesson.steps.clear();
    EXPECT_THAT(handoutOf({.lesson = lesson}).error().message, HasSubstr("no steps"));
}

TEST(Handout, OfALessonThatCannotBeIsASentence)
{
    Lesson lesson = smallLesson();
    lesson.steps.front().show.lens = "nosuch";

    EXPECT_THAT(handoutOf({.lesson = lesson}).error().message, HasSubstr("nosuch"));
}

} // namespace
} // namespace flopsmith
