// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exercise/exercise.h"

#include "core/exercise/exercise_check.h"
#include "core/exercise/exercise_marks.h"
#include "core/exercise/rounded_number.h"
#include "tests/core/exercise/sample_exercise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using State = CheckMark::State;

ExerciseMarker markerOf(const Exercise& exercise)
{
    Result<ExerciseMarker> marker = ExerciseMarker::create(exercise);
    EXPECT_TRUE(marker.ok()) << (marker ? "" : marker.error().message);
    return std::move(marker).value();
}

std::string replaced(std::string text, const std::string& what, const std::string& by)
{
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return text.replace(at, what.size(), by);
}

std::string refusal(const std::string& text)
{
    const Result<Exercise> exercise = readExercise(text, "x");
    EXPECT_FALSE(exercise.ok()) << text;
    return exercise ? "" : exercise.error().message;
}

TEST(Exercise, ReadsBackAsItWasWritten)
{
    const Exercise sample = test::sampleExercise();

    const Result<Exercise> again = readExercise(exerciseJson(sample), "again");

    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(*again, sample);
    EXPECT_EQ(sample.points(), 6);
    EXPECT_EQ(sample.languageFor("de_CH"), "de");
}

TEST(Exercise, AStartMayBeAWholeProjectWithItsTies)
{
    Exercise exercise = test::sampleExercise();
    Project project = test::designWithBlocks(3);
    ASSERT_TRUE(addTie(project.rules, project.scenario, {0, "ffn.d_ff"}, "4*d_model").ok());
    exercise.start = {.project = project};

    const Result<Exercise> again = readExercise(exerciseJson(exercise), "again");

    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(*again, exercise);
    EXPECT_EQ(projectOf(again->start).value(), project);
}

// The sample with locks of what students have.
std::string lockedSample(const std::string& locks)
{
    const std::string start = R"("set": {"seq": 1024})";
    return replaced(test::sampleExerciseText(), start, start + R"(, "class_locks": )" + locks);
}

TEST(Exercise, AStartMayLockControls)
{
    const Result<Exercise> read =
        readExercise(lockedSample(R"([{"key": "d_model", "kind": "fixed"}])"), "sample");
    ASSERT_TRUE(read.ok()) << read.error().message;
    const Result<Project> start = projectOf(read->start);
    ASSERT_TRUE(start.ok());

    ASSERT_EQ(start->classLocks.size(), 1U);
    EXPECT_EQ(start->classLocks[0].key, "d_model");
    EXPECT_EQ(*readExercise(exerciseJson(*read), "sample"), *read);
    EXPECT_TRUE(checkExercise(*read).empty());
}

TEST(Exercise, ASolutionKeepsTheLocksOfTheStart)
{
    const Result<Exercise> read =
        readExercise(lockedSample(R"([{"key": "layers", "kind": "fixed"}])"), "sample");
    ASSERT_TRUE(read.ok()) << read.error().message;

    EXPECT_THAT(checkExercise(*read),
                testing::Contains(
                    testing::StartsWith("the solution changes what the start locks: layers")));
}

TEST(Exercise, SaysWhatIsWrongInALock)
{
    const std::string place = "x: start.class_locks";
    EXPECT_THAT(refusal(lockedSample(R"("all")")),
                testing::StartsWith(place + ": expected a list"));
    EXPECT_THAT(refusal(lockedSample(R"([{"key": "d_model", "kind": "open"}])")),
                testing::StartsWith(place));
    EXPECT_THAT(refusal(lockedSample(R"([{"key": "d_model", "kind": "fixed", "x": 1}])")),
                testing::HasSubstr("the key x is unknown"));
}

TEST(Exercise, SaysWhatIsWrongWhere)
{
    const std::string text = test::sampleExerciseText();

    EXPECT_EQ(refusal(replaced(text, "\"flopsmith_exercise\": 1,", "")),
              "x: this is no exercise; one begins with \"flopsmith_exercise\": 1");
    EXPECT_EQ(refusal(replaced(text, "\"flopsmith_exercise\": 1,", "\"flopsmith_exercise\": 2,")),
              "x: flopsmith_exercise: version 2 is unknown to this program, which reads version 1");
    EXPECT_EQ(refusal(replaced(text, "\"id\": \"double\"", "\"id\": \"width\"")),
              "x: check 3: id: another check has the id width");
    EXPECT_EQ(refusal(replaced(text, "\"of\": \"design\"", "\"of\": \"start\"")),
              "x: check 3: number.of: expected \"design\"; without it the answer is of the start");
    EXPECT_EQ(refusal(replaced(text, "\"tolerance\": 0.01", "\"tolerance\": 2")),
              "x: check 2: number.tolerance: expected a number from 0 to 0.5, found 2");
    EXPECT_NE(refusal(replaced(text, "\"points\": 2", "\"score\": 2")).find("check 1: score"),
              std::string::npos);
}

TEST(Exercise, TheSampleIsRight)
{
    EXPECT_EQ(checkExercise(test::sampleExercise()), std::vector<std::string>{});
}

TEST(Exercise, TheCheckFindsWrongGoldensMissingTextsAndSolutionsThatDoNotReachAll)
{
    Exercise golden = test::sampleExercise();
    golden.checks[1].number->answer.golden = "1024";
    ASSERT_EQ(checkExercise(golden).size(), 1U);
    EXPECT_NE(checkExercise(golden).front().find("value('d_model') is 768, not 1024"),
              std::string::npos);

    Exercise text = test::sampleExercise();
    text.texts["de"].erase("hint");
    ASSERT_EQ(checkExercise(text).size(), 1U);
    EXPECT_EQ(checkExercise(text).front(), "text \"hint\" (de): missing");

    Exercise solution = test::sampleExercise();
    solution.solution->set = {{"layers", "7"}};
    solution.checks[2].number->answer.golden = "14";
    ASSERT_EQ(checkExercise(solution).size(), 1U);
    EXPECT_EQ(checkExercise(solution).front(), "check blocks: the solution does not meet it");

    Exercise none = test::sampleExercise();
    none.solution.reset();
    EXPECT_EQ(checkExercise(none).size(), 1U);
}

TEST(Exercise, EveryCheckIsMarkedWhateverTheOthersSay)
{
    const ExerciseMarker marker = markerOf(test::sampleExercise());

    const auto marks = marker.marks(test::designWithBlocks(7).scenario, {{"double", 14.0}});

    ASSERT_EQ(marks.size(), 3U);
    EXPECT_EQ(marks[0].state, State::wrong);
    EXPECT_EQ(marks[0].value, "false");
    EXPECT_EQ(marks[1].state, State::open);
    EXPECT_EQ(marks[2].state, State::right);
    EXPECT_EQ(marker.points(marks), 1);
}

TEST(Exercise, AReleaseHasNoAnswersAndMarksTheSame)
{
    const Exercise source = test::sampleExercise();
    const Exercise release = released(source).value();
    const std::string text = exerciseJson(release);

    EXPECT_EQ(text.find("solution"), std::string::npos);
    EXPECT_EQ(text.find("golden"), std::string::npos);
    EXPECT_EQ(text.find("\"768\""), std::string::npos);
    EXPECT_EQ(readExercise(text, "release").value(), release);
    EXPECT_EQ(released(release).value(), release);
    EXPECT_EQ(exerciseDigest(release).value(), exerciseDigest(source).value());
    const ExerciseMarker ofSource = markerOf(source);
    const ExerciseMarker ofRelease = markerOf(release);
    for (const double typed :
         {0.0, 7.0, 760.0, 763.0, 768.0, 768.4, 775.0, 777.0, 7680.0, -768.0}) {
        const TypedNumbers numbers{{"width", typed}, {"double", 10.0}};
        const Scenario design = test::designWithBlocks(5).scenario;
        EXPECT_EQ(ofSource.marks(design, numbers), ofRelease.marks(design, numbers)) << typed;
        EXPECT_EQ(ofSource.marks(design, numbers)[1].isRight(), typed >= 760.0 && typed <= 776.0)
            << typed;
    }
}

TEST(Exercise, ADigestKnowsWhatIsCheckedAndNotHowItIsSaid)
{
    const Exercise sample = test::sampleExercise();
    Exercise said = sample;
    said.texts["en"]["hint"] = "Use the other slider.";
    said.checks[0].hintAfter = 5;
    EXPECT_EQ(exerciseDigest(said).value(), exerciseDigest(sample).value());

    std::vector<Exercise> others(5, sample);
    others[0].checks[0].points = 3;
    others[1].checks[0].predicate = "true == true";
    others[2].checks[1].number->answer.golden = "769000";
    others[3].start.lens = "exact";
    others[4].checks.pop_back();
    for (const Exercise& other : others) {
        EXPECT_NE(exerciseDigest(other).value(), exerciseDigest(sample).value());
    }
}

TEST(RoundedNumber, HasSoManySignificantDigits)
{
    EXPECT_EQ(roundedText(17'563'828'224.0, 3), "1.76e+10");
    EXPECT_EQ(roundedText(0.0, 3), "0");
    EXPECT_EQ(roundedText(4.0, 1), "4e+00");
    EXPECT_EQ(roundedText(0.099996, 3), "1.00e-01");
}

TEST(RoundedNumber, RightAreTheRoundingsWithinTheTolerance)
{
    EXPECT_EQ(rightNumbers(768.0, 3, 0.0).value(), std::vector<std::string>{"7.68e+02"});
    EXPECT_EQ(rightNumbers(100.0, 2, 0.02).value(),
              (std::vector<std::string>{"9.8e+01", "9.9e+01", "1.0e+02"}));
    EXPECT_EQ(rightNumbers(0.0, 3, 0.1).value(), std::vector<std::string>{"0"});
    EXPECT_FALSE(rightNumbers(-1.0, 3, 0.0).ok());
    EXPECT_FALSE(rightNumbers(768.0, 9, 0.5).ok());
}

TEST(RoundedNumber, IsTypedAsScreensShowIt)
{
    EXPECT_EQ(typedNumber("17.56 G").value(), 17.56e9);
    EXPECT_EQ(typedNumber(" 17 560 000 000 ").value(), 17.56e9);
    EXPECT_EQ(typedNumber("17\xE2\x80\xAF"
                          "560")
                  .value(),
              17'560.0);
    EXPECT_EQ(typedNumber("1e3").value(), 1'000.0);
    for (const char* wrong : {"", "many", "1,024", "1e999", "nan", "3 apples"}) {
        EXPECT_FALSE(typedNumber(wrong).ok()) << wrong;
    }
}

} // namespace
} // namespace flopsmith
