// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json/json_text.h"
#include "tests/app/commands/command_test.h"

namespace flopsmith {
namespace {

class ExerciseCommand : public Commands
{
protected:
    // The start as it is, with one number.
    void writeAnswer(const std::string& name, const std::string& student, const std::string& digest)
    {
        Json answer{{"flopsmith_answer", 1}, {"exercise", "sample"}, {"digest", digest}};
        if (!student.empty()) {
            answer["student"] = student;
        }
        answer["numbers"]["width"] = 64;
        answer["tries"]["width"] = 2;
        answer["design"] = ownJson(text(FLOPSMITH_TINY_MODEL));
        file(name, jsonText(answer));
    }

    static std::string source()
    {
        return R"json({"flopsmith_exercise": 1, "id": "sample",
            "texts": {"en": {"title": "T", "summary": "S", "task": "T", "b": "B", "w": "W"}},
            "start": {"preset": "tiny"},
            "checks": [
              {"id": "blocks", "points": 2, "text": "b", "predicate": "value('layers') <= 1"},
              {"id": "width", "points": 3, "text": "w",
               "number": {"expression": "value('d_model')", "golden": "64"}}],
            "solution": {"preset": "tiny", "set": {"layers": 1}}})json";
    }

    // What an answer to the sample has, as the window writes it.
    static constexpr const char* kDigest =
        "79eee0a948def2790a235c75fd49dac7200a66b2677e471470e2bfce2f0389ff";
};

TEST_F(ExerciseCommand, ListsAndChecksThoseOfTheProgram)
{
    EXPECT_NE(ask("exercise list").out.find("smallest-cache: The smallest cache (7 points)"),
              std::string::npos);
    EXPECT_NE(ask("exercise --help").out.find("grade"), std::string::npos);
    const Answer checked = ask("exercise check");
    EXPECT_EQ(checked.code, 0) << checked.error;
    EXPECT_EQ(std::count(checked.out.begin(), checked.out.end(), '\n'), 3) << checked.out;
}

TEST_F(ExerciseCommand, NamesWhatIsWrong)
{
    std::string wrong = source();
    wrong.replace(wrong.find("\"golden\": \"64\""), 14, "\"golden\": \"65\"");
    file("wrong.json", wrong);

    expectRefusal("exercise check wrong.json", "check width: value('d_model') is 64, not 65");
    expectRefusal("exercise check nowhere.json", "nowhere.json");
    EXPECT_EQ(ask("exercise grade wrong.json").code, 2); // without answers
}

TEST_F(ExerciseCommand, ReleasesWithoutTheAnswersAndNeverOverItsSource)
{
    file("source.json", source());

    EXPECT_EQ(ask("exercise check source.json").code, 0) << ask("exercise check source.json").error;
    EXPECT_EQ(ask("exercise release source.json -o student.json").code, 0);
    const std::string student = text(folder / "student.json");
    EXPECT_EQ(student.find("solution"), std::string::npos);
    EXPECT_EQ(student.find("\"64\""), std::string::npos);
    EXPECT_NE(student.find("hashes"), std::string::npos);
    expectRefusal("exercise release source.json -o ./source.json", "is the source itself");
    EXPECT_EQ(text(folder / "source.json"), source());
}

TEST_F(ExerciseCommand, GradesEveryCheckOfEveryAnswerAndSaysWhichCouldNotBeRead)
{
    file("source.json", source());
    EXPECT_EQ(ask("exercise release source.json -o student.json").code, 0);
    writeAnswer("ada.answer", "=Ada", kDigest);
    writeAnswer("bob.answer", "", "other");
    file("eve.answer", "{");

    for (const char* exercise : {"source.json", "student.json"}) {
        const Answer graded =
            ask(std::string("exercise grade ") + exercise + " *.answer --format csv");
        EXPECT_EQ(graded.code, 1);
        EXPECT_EQ(graded.out.find("student,check,points,of,value,tries,unlocked,note\r\n"), 0U);
        EXPECT_NE(graded.out.find("'=Ada,blocks,0,2,false,0,false,\r\n"), std::string::npos)
            << graded.out;
        EXPECT_NE(graded.out.find("'=Ada,width,3,3,64,2,false,\r\n"), std::string::npos)
            << graded.out;
        EXPECT_NE(graded.out.find("bob,,,,,,,an answer to other checks"), std::string::npos)
            << graded.out;
        EXPECT_NE(graded.out.find("eve,,,,,,,"), std::string::npos) << graded.out;
        EXPECT_NE(graded.error.find("could not be graded"), std::string::npos) << graded.error;
    }
    const Answer good = ask("exercise grade source.json ada.answer --format json");
    EXPECT_EQ(good.code, 0) << good.error;
    EXPECT_EQ(ownJson(good.out)[0]["student"], "=Ada");
}

} // namespace
} // namespace flopsmith
