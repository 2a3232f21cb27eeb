// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exercise/exercise_answer.h"
#include "core/exercise/exercise_play.h"
#include "core/exercise/grading.h"
#include "core/io/table/spreadsheet.h"
#include "core/io/table/table_text.h"
#include "tests/core/exercise/sample_exercise.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

class ExerciseAnswerTest : public testing::Test
{
protected:
    ExerciseAnswerTest()
        : play(marker, "en")
    {}

    std::vector<GradeRow> graded(const ExerciseAnswer& answer)
    {
        return gradedAnswer(marker, answer, "file");
    }

    ExerciseMarker marker{ExerciseMarker::create(test::sampleExercise()).value()};
    ExercisePlay play;
};

TEST_F(ExerciseAnswerTest, ReadsBackAsItWasWritten)
{
    ASSERT_TRUE(play.enterNumber("width", "768").ok());
    play.setDesign(test::designWithBlocks(5).scenario);
    play.countTry();
    ExerciseAnswer answer = play.answer(test::designWithBlocks(5), "Ada", "Because\nit is so.");
    answer.seconds = 90;
    answer.unlocked = true;

    const Result<ExerciseAnswer> again = readAnswer(answerJson(answer), "again");

    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(*again, answer);
    EXPECT_EQ(again->tries, (std::map<std::string, int>{{"blocks", 1}, {"width", 1}}));
}

TEST_F(ExerciseAnswerTest, WhateverAPersonTypesCanBeReadAgain)
{
    const std::string words = "tab\there, \x1B[31mred, half \xE2\x82";
    const std::string much = std::string(kMaxAnswerWords - 1, 'x') + "\xC3\xA4\xC3\xA4";

    for (const std::string& each : {words, much}) {
        const ExerciseAnswer answer =
            play.answer(test::designWithBlocks(5), std::string(199, 'x') + "\xC3\xA4", each);
        const Result<ExerciseAnswer> again = readAnswer(answerJson(answer), "again");
        ASSERT_TRUE(again.ok()) << again.error().message;
        EXPECT_EQ(*again, answer);
    }
}

TEST_F(ExerciseAnswerTest, SaysWhatIsWrongWhere)
{
    const std::string text = answerJson(play.answer(test::designWithBlocks(5), "", ""));
    const auto refusal = [&text](const std::string& what, const std::string& by) {
        std::string changed = text;
        changed.replace(changed.find(what), what.size(), by);
        const Result<ExerciseAnswer> answer = readAnswer(changed, "x");
        return answer ? std::string() : answer.error().message;
    };

    EXPECT_EQ(refusal("\"flopsmith_answer\": 1", "\"flopsmith_answer\": 9"),
              "x: flopsmith_answer: version 9 is unknown to this program, which reads version 1");
    EXPECT_EQ(refusal("\"seconds\": 0", "\"seconds\": \"long\""),
              "x: seconds: expected a whole number from 0 to 1000000000, found the text \"long\"");
    EXPECT_EQ(refusal("\"unlocked\": false", "\"unlocked\": 0"),
              "x: unlocked: expected true or false, found 0");
    EXPECT_NE(refusal("\"d_model\": 768", "\"d_model\": 0").find("x: design: "), std::string::npos);
    EXPECT_FALSE(readAnswer("{", "x").ok());
    EXPECT_FALSE(readAnswer(test::sampleExerciseText(), "x").ok());
}

TEST_F(ExerciseAnswerTest, EveryCheckIsARow)
{
    ASSERT_TRUE(play.enterNumber("double", "11").ok());
    const std::vector<GradeRow> rows = graded(play.answer(test::designWithBlocks(5), "Ada", ""));

    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(
        rows[0],
        (GradeRow{.student = "Ada", .check = "blocks", .points = 2, .of = 2, .value = "true"}));
    EXPECT_EQ(rows[1].note, "not answered");
    EXPECT_EQ(rows[2],
              (GradeRow{.student = "Ada", .check = "double", .of = 1, .value = "11", .tries = 1}));
}

TEST_F(ExerciseAnswerTest, AnAnswerToOtherChecksIsNoAnswerToThese)
{
    ExerciseAnswer answer = play.answer(test::designWithBlocks(5), "", "");
    answer.digest.back() = answer.digest.back() == '0' ? '1' : '0';
    ASSERT_EQ(graded(answer).size(), 1U);
    EXPECT_FALSE(graded(answer).front().isGraded());
    EXPECT_EQ(graded(answer).front().student, "file");
    EXPECT_NE(graded(answer).front().note.find("other checks"), std::string::npos);

    Exercise edited = test::sampleExercise();
    edited.checks[0].points = 200;
    const ExerciseMarker easier = ExerciseMarker::create(edited).value();
    const ExerciseAnswer easy =
        ExercisePlay(easier, "en").answer(test::designWithBlocks(5), "", "");
    EXPECT_FALSE(graded(easy).front().isGraded());

    const Result<ExerciseAnswer> broken = Error{"file: no JSON"};
    EXPECT_EQ(gradedAnswer(marker, broken, "file").front().note, "file: no JSON");
}

TEST_F(ExerciseAnswerTest, AnAnswerToTheReleaseIsOneToTheSource)
{
    const ExerciseMarker release =
        ExerciseMarker::create(released(test::sampleExercise()).value()).value();
    ExercisePlay student(release, "de");
    ASSERT_TRUE(student.enterNumber("width", "770").ok());

    const std::vector<GradeRow> rows = graded(student.answer(test::designWithBlocks(6), "", ""));

    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0].points + rows[1].points, 5);
}

TEST_F(ExerciseAnswerTest, ASpreadsheetFindsNoFormulas)
{
    for (const char* name : {"=1+1",
                             "+1",
                             "-1",
                             "@A1",
                             "\xEF\xBC\x9D"
                             "1"}) {
        const Table table =
            withoutFormulas(gradeTable(graded(play.answer(test::designWithBlocks(5), name, ""))));
        EXPECT_NE(csvText(table).find("\r\n'" + std::string(name)), std::string::npos) << name;
    }
    const Table plain = withoutFormulas(
        gradeTable(graded(play.answer(test::designWithBlocks(5), "Ada - Lovelace", ""))));
    EXPECT_NE(csvText(plain).find("\r\nAda - Lovelace,blocks,2,2,true,0,false,\r\n"),
              std::string::npos)
        << csvText(plain);
}

TEST_F(ExerciseAnswerTest, AHintComesAfterItsTries)
{
    EXPECT_FALSE(play.showsWrong(0)); // nothing was tried

    play.setDesign(test::designWithBlocks(8).scenario);
    play.countTry();
    EXPECT_TRUE(play.showsWrong(0));
    EXPECT_FALSE(play.showsHint(0));

    play.setDesign(test::designWithBlocks(7).scenario);
    play.countTry();
    EXPECT_TRUE(play.showsHint(0));

    play.setDesign(test::designWithBlocks(6).scenario);
    play.countTry();
    EXPECT_FALSE(play.showsHint(0));
    EXPECT_FALSE(play.showsWrong(0));
    EXPECT_EQ(play.tries("blocks"), 3);
    EXPECT_EQ(play.points(), 2);

    play.countTry(); // another change, with the check met
    EXPECT_EQ(play.tries("blocks"), 3);
}

TEST_F(ExerciseAnswerTest, TheSameNumberAgainIsNoOtherTry)
{
    EXPECT_TRUE(play.enterNumber("width", "768").ok());
    EXPECT_TRUE(play.enterNumber("width", " 768 ").ok());
    EXPECT_EQ(play.tries("width"), 1);
    EXPECT_FALSE(play.enterNumber("width", "wide").ok());
    EXPECT_EQ(play.tries("width"), 1);
    EXPECT_TRUE(play.marks()[1].isRight());

    EXPECT_TRUE(play.enterNumber("width", " ").ok());
    EXPECT_EQ(play.marks()[1].state, CheckMark::State::open);

    play.restart();
    EXPECT_EQ(play.tries("width"), 0);
}

TEST_F(ExerciseAnswerTest, TextsHaveTheValuesOfTheStartInTheLanguage)
{
    EXPECT_EQ(play.text("task"), "768 is the width.");
    play.setLanguage("de_AT");
    EXPECT_EQ(play.text("task"), "768 breit.");
    EXPECT_EQ(play.text(""), "");
}

} // namespace
} // namespace flopsmith
