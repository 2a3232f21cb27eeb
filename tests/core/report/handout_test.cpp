// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/handout.h"

#include "core/report/report_text.h"
#include "core/share/share_code.h"
#include "core/teach/format/lesson_reading.h"
#include "core/teach/play/lesson_view.h"

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

std::string markdownOf(const HandoutRequest& request)
{
    return markdownReport(handoutOf(request).value(),
                          [](const ReportFigure& figure) { return figure.name; });
}

std::string handoutText(HandoutAnswers answers)
{
    return markdownOf({.lesson = smallLesson(), .answers = answers});
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
    for (const HandoutAnswers answers :
         {HandoutAnswers::last, HandoutAnswers::none, HandoutAnswers::inPlace}) {
        EXPECT_EQ(boxesIn(*handoutOf({.lesson = lesson, .answers = answers})), questions);
    }
}

TEST(Handout, HasAnswersOnlyIfAskedFor)
{
    const std::string number = "660,606,025,728"; // of twice the sequence
    const std::string last = handoutText(HandoutAnswers::last);
    const std::string none = handoutText(HandoutAnswers::none);

    EXPECT_THAT(last, HasSubstr("## Answers"));
    EXPECT_GT(last.find(number), last.find("## Answers"));
    EXPECT_NE(last.find(number), std::string::npos);
    EXPECT_THAT(none, Not(HasSubstr("## Answers")));
    EXPECT_THAT(none, Not(HasSubstr(number)));
}

TEST(Handout, HasAnswersInPlaceBelowTheirQuestions)
{
    const std::string text = handoutText(HandoutAnswers::inPlace);

    EXPECT_THAT(text, Not(HasSubstr("## Answers")));
    EXPECT_LT(text.find("Answer: B, the feed-forward networks"), text.find("## Question 2"));
    EXPECT_THAT(text, HasSubstr("660,606,025,728"));
}

TEST(Handout, OfATeacherHasFilledBoxesAndNotes)
{
    HandoutRequest request{.lesson = smallLesson(), .answers = HandoutAnswers::none};
    request.lesson.steps[1].notes = "double_why";
    EXPECT_THAT(markdownOf(request), Not(HasSubstr("For the lecturer")));
    EXPECT_THAT(markdownOf(request), Not(HasSubstr("> B, the feed-forward")));

    request.forTeacher = true;
    EXPECT_THAT(markdownOf(request), HasSubstr("For the lecturer: "));
    EXPECT_THAT(markdownOf(request), HasSubstr("> B, the feed-forward networks"));
}

TEST(Handout, EndsWithTheDesignThatTheLessonStartsFrom)
{
    const Report report = handoutOf({.lesson = smallLesson()}).value();

    const auto* share = std::get_if<ReportShareCode>(&report.blocks.back());
    ASSERT_NE(share, nullptr);
    const Result<SharedDesign> opened = parsedShareCode(share->code);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    EXPECT_EQ(opened->project.scenario, startViewOf(smallLesson())->context.scenario);
}

TEST(Handout, NamesTheChosenOption)
{
    EXPECT_THAT(handoutText(HandoutAnswers::last), HasSubstr("B, the feed-forward networks"));
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

    EXPECT_THAT(markdownOf({.lesson = lesson}), HasSubstr("Of 1,024 tokens."));
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
