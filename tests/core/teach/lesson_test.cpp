// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file_suffix.h"
#include "core/teach/author/lesson_check.h"
#include "core/teach/format/installed_lessons.h"
#include "core/teach/format/lesson_reading.h"
#include "core/teach/play/lesson_play.h"
#include "core/teach/play/lesson_printing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace flopsmith {
namespace {

using testing::HasSubstr;

Lesson exampleLesson()
{
    return *readLesson(newLessonText("example"), "example");
}

LessonPlay exampleAt(int step)
{
    LessonPlay play = *LessonPlay::started(exampleLesson(), "en");
    EXPECT_TRUE(play.goTo(step));
    return play;
}

std::string problemsOf(const Lesson& lesson)
{
    std::string all;
    for (const LessonProblem& problem : checkLesson(lesson)) {
        all += problem.text() + "\n";
    }
    return all;
}

TEST(Lesson, TheCommentedExampleIsRight)
{
    EXPECT_EQ(problemsOf(exampleLesson()), "");
}

TEST(Lesson, IsCheckedUnderTheViewsOfItsPlay)
{
    const LessonPlay play = exampleAt(0);
    EXPECT_TRUE(checkLesson(play.lesson(), play.views(), {}).empty());

    ShownViews others = play.views();
    others.steps[1].before.context.scenario.model.runs.front().repeat = 1;
    EXPECT_FALSE(checkLesson(play.lesson(), others, {}).empty());
}

TEST(Lesson, ReadsBackWhatItWrites)
{
    Lesson lesson = exampleLesson();
    EXPECT_EQ(*readLesson(lessonJson(lesson), "again"), lesson);

    lesson.steps[0].lab = LessonLab{.task = "facts", .arms = {"dense", "ultra"}};
    EXPECT_EQ(*readLesson(lessonJson(lesson), "again"), lesson);
}

TEST(Lesson, PrintsTheCommandOfItsLab)
{
    Lesson lesson = exampleLesson();
    EXPECT_THAT(*printedLesson(lesson, "en"), testing::Not(HasSubstr("lab run")));
    lesson.steps[1].lab = LessonLab{.task = "facts", .arms = {"dense", "ultra"}};
    EXPECT_THAT(*printedLesson(lesson, "en"),
                HasSubstr("flopsmith lab run --task facts --arms dense,ultra"));
}

TEST(Lesson, ALabHasATaskAndSomeArms)
{
    Lesson lesson = exampleLesson();
    const auto refusal = [&](const LessonLab& lab) {
        lesson.steps[0].lab = lab;
        const auto read = readLesson(lessonJson(lesson), "file");
        return read ? std::string() : read.error().message;
    };
    EXPECT_EQ(refusal({.task = "facts", .arms = {"dense"}}), "");
    EXPECT_THAT(refusal({.task = "", .arms = {"dense"}}), HasSubstr("step 1: lab.task"));
    EXPECT_THAT(refusal({.task = "facts", .arms = {}}), HasSubstr("step 1: lab.arms"));
    EXPECT_THAT(refusal({.task = "facts", .arms = {kMaxLessonArms + 1, "dense"}}),
                HasSubstr("step 1: lab.arms"));
    std::string text = newLessonText("example");
    text.replace(text.find("\"reveal\""), 8, "\"lab\": \"facts\", \"reveal\"");
    EXPECT_THAT(readLesson(text, "file").error().message, HasSubstr("lab"));
}

TEST(Lesson, ThoseOfTheProgramAreAllThereAndRight)
{
    std::size_t files = 0;
    const std::filesystem::path folder(FLOPSMITH_LESSON_FOLDER);
    if (std::filesystem::exists(folder)) {
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            files += entry.path().extension() == kLessonSuffix ? 1U : 0U;
        }
    }
    EXPECT_EQ(installedLessons().size(), files);
    for (const InstalledText& each : installedLessons()) {
        const Result<Lesson> lesson = readLesson(each.text, std::string(each.fileName));
        ASSERT_TRUE(lesson.ok()) << lesson.error().message;
        EXPECT_EQ(problemsOf(*lesson), "") << each.fileName;
        for (const auto& language : lesson->texts) {
            EXPECT_TRUE(printedLesson(*lesson, language.first).ok()) << each.fileName;
        }
    }
}

TEST(Lesson, NamesTheStepAndTheReason)
{
    Lesson lesson = exampleLesson();
    std::get<Ask>(lesson.steps[1].content).answer.golden = "3";
    EXPECT_THAT(problemsOf(lesson), HasSubstr("step 2: argmax"));
    lesson = exampleLesson();
    lesson.steps[1].reveal.select = "blocks/nothing";
    EXPECT_THAT(problemsOf(lesson), HasSubstr("step 2: reveal: the model has no part"));
    lesson = exampleLesson();
    lesson.start.model = "gpt9";
    EXPECT_THAT(problemsOf(lesson), HasSubstr("start: there is no preset \"gpt9\""));
    lesson = exampleLesson();
    lesson.texts["de"] = {{"title", "Titel"}};
    EXPECT_THAT(problemsOf(lesson), HasSubstr("(de): the text \"summary\" is missing"));
}

TEST(Lesson, ComputesTheValuesOfItsHeadings)
{
    Lesson lesson = exampleLesson();
    lesson.texts["en"]["summary"] = "{value('seq')} tokens";
    EXPECT_EQ(problemsOf(lesson), "");
    lesson.texts["en"]["summary"] = "{wrong()}";
    EXPECT_THAT(problemsOf(lesson), HasSubstr("text \"summary\": {wrong()}"));
}

TEST(LessonView, KeepsItsSelectionWhenTrainingEnds)
{
    const LessonView training =
        viewAfter(LessonView{}, {.select = "ffn", .model = "gpt2", .set = {{"phase", "train"}}})
            .value();
    EXPECT_EQ(training.select, "forward/blocks[0]/ffn");

    EXPECT_EQ(viewAfter(training, {.set = {{"phase", "prefill"}}}).value().select, "blocks[0]/ffn");
}

TEST(Lesson, RefusesUnknownKeysAndVersionsByName)
{
    std::string text = newLessonText("example");
    text.replace(text.find("\"minutes\""), 9, "\"minuets\"");
    EXPECT_THAT(readLesson(text, "file").error().message, HasSubstr("file: minuets: no such key"));
    text = newLessonText("example");
    text.replace(text.find("_lesson\": 1"), 11, "_lesson\": 2");
    EXPECT_THAT(readLesson(text, "file").error().message, HasSubstr("version 2 is unknown"));
    EXPECT_FALSE(readLesson("[]", "file").ok());
}

TEST(Lesson, NamesThePlaceAsAPersonFindsIt)
{
    const auto refusal = [](const std::string& from, const std::string& to) {
        std::string text = lessonJson(exampleLesson());
        const std::size_t at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        const auto read = readLesson(text.replace(at, from.size(), to), "file");
        return read ? std::string() : read.error().message;
    };

    EXPECT_EQ(refusal("\"kind\": \"choice\"", "\"kind\": \"guess\""),
              "file: step 2: ask.kind: \"guess\" is unknown; known are choice, number, order, "
              "sketch, build");
    EXPECT_EQ(refusal("\"say\": \"", "\"say\": \"\\u001b"),
              "file: step 1: say: the text has control characters");
    EXPECT_EQ(refusal("\"minutes\": ", "\"minutes\": -"),
              "file: minutes: expected a number from 1 to 600, found -"
                  + std::to_string(exampleLesson().minutes));
}

TEST(LessonPlay, ComputesEachTextOfAStepOnce)
{
    Lesson lesson = exampleLesson();
    lesson.texts["de"] = lesson.texts["en"];
    lesson.texts["de"]["hello"] = "GPT-2: {total():si}FLOPs";
    LessonPlay play = *LessonPlay::started(lesson, "en");
    const std::string first = *play.text("hello");

    play.next();
    play.back();
    play.setLanguage("en");
    EXPECT_EQ(*play.text("hello"), first);
    EXPECT_EQ(play.computedTexts(), 1);

    play.setLanguage("de");
    EXPECT_NE(*play.text("hello"), first);
    EXPECT_EQ(*play.text("hello"), *play.text("hello"));
    EXPECT_EQ(play.computedTexts(), 2);
}

TEST(LessonPlay, WantsAPredictionBeforeTheReveal)
{
    LessonPlay play = exampleAt(1);
    EXPECT_FALSE(play.canReveal());
    EXPECT_FALSE(play.reveal().ok());
    EXPECT_FALSE(play.answer().ok());
    EXPECT_FALSE(play.predict(ChosenOption{4}).ok());
    EXPECT_FALSE(play.predict(2.0).ok());
    EXPECT_TRUE(play.predict(ChosenOption{2}).ok());
    EXPECT_FALSE(play.score());
    EXPECT_TRUE(play.reveal().ok());
    EXPECT_EQ(goldenText(*play.answer()), "2");
    EXPECT_TRUE(play.score()->isRight);
    EXPECT_FALSE(play.predict(ChosenOption{1}).ok());
    EXPECT_EQ(play.total().right, 1);
    play.restart();
    EXPECT_EQ(play.total().answered, 0);
}

TEST(LessonPlay, HidesCostsWhileAQuestionAboutThemIsOpen)
{
    Lesson lesson = exampleLesson();
    LessonStep ask = lesson.steps.at(1);
    ask.show = {};
    const LessonStep say{.content = Say{"say"}};
    const LessonStep other{.content = Say{"say"}, .show = {.set = {{"layers", "2"}}}};
    LessonStep build = ask;
    build.content = Ask{.kind = QuestionKind::build, .answer = {"true", "true"}};
    lesson.steps = {say, ask, say, ask, other, build};
    LessonPlay play = *LessonPlay::started(lesson, "en");

    EXPECT_TRUE(play.hidesCosts()); // the next step asks about them
    play.next();
    EXPECT_TRUE(play.hidesCosts());
    EXPECT_TRUE(play.reveal(LessonPlay::By::lecturer).ok());
    EXPECT_FALSE(play.hidesCosts());
    play.next();
    EXPECT_FALSE(play.hidesCosts()); // they are known
    play.next();
    EXPECT_TRUE(play.hidesCosts());
    play.next();
    EXPECT_FALSE(play.hidesCosts()); // what comes is built
    play.next();
    EXPECT_FALSE(play.hidesCosts());
    play.goTo(0);
    EXPECT_FALSE(play.hidesCosts());
}

TEST(LessonPlay, ALecturerRevealsWithoutAPrediction)
{
    LessonPlay play = exampleAt(1);
    EXPECT_TRUE(play.reveal(LessonPlay::By::lecturer).ok());
    EXPECT_TRUE(play.hasWhy());
    EXPECT_FALSE(play.score());
}

TEST(LessonPlay, CountsTwoVotes)
{
    LessonPlay play = exampleAt(1);
    EXPECT_FALSE(play.setTally(0, {1, 2}).ok());
    EXPECT_FALSE(play.setTally(2, {1, 2, 3}).ok());
    EXPECT_FALSE(play.setTally(0, {1, -2, 3}).ok());
    EXPECT_TRUE(play.setTally(0, {12, 30, 4}).ok());
    EXPECT_TRUE(play.setTally(1, {2, 44, 0}).ok());
    EXPECT_EQ(play.tally(0), (Tally{12, 30, 4}));
    EXPECT_TRUE(play.canReveal());
}

TEST(LessonPlay, ScoresNumbersByTheirRatioBothWays)
{
    const LessonPlay play = exampleAt(2);
    const Ask& ask = *play.current().ask();
    constexpr double kTruth = 660606025728.0;
    for (const double ratio : {1.0, 1.2, 1.49, 1.6, 3.0, 100.0}) {
        const auto above = scoreOf(ask, kTruth * ratio, play.view().context);
        const auto below = scoreOf(ask, kTruth / ratio, play.view().context);
        EXPECT_EQ(above->isRight, ratio < 1.5);
        EXPECT_EQ(below->isRight, above->isRight);
        EXPECT_NEAR(below->points, above->points, 1e-9);
    }
}

TEST(LessonPlay, ScoresNoSketchOfACurveThatIsNotAboveZero)
{
    Ask ask{.kind = QuestionKind::sketch,
            .axis = {.parameter = "sequence", .from = 128.0, .to = 1024.0},
            .curves = {{.label = "c", .expression = "total()"}}};
    const LessonContext context = exampleAt(0).view().context;
    const Prediction drawn = DrawnCurves{{{{.x = 128.0, .y = 1e10}, {.x = 1024.0, .y = 1e11}}}};
    EXPECT_TRUE(scoreOf(ask, drawn, context).ok());

    ask.curves.front().expression = "value('seq') - value('seq')";
    EXPECT_THAT(scoreOf(ask, drawn, context).error().message, HasSubstr("not above 0"));
}

} // namespace
} // namespace flopsmith
