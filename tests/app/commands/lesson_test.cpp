// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/commands/command_test.h"

namespace flopsmith {
namespace {

class LessonCommand : public Commands
{};

TEST_F(LessonCommand, WritesALessonThatItFindsRight)
{
    EXPECT_EQ(ask("lesson new mine.flopsmith-lesson").code, 0);
    const Answer checked = ask("lesson check mine.flopsmith-lesson");
    EXPECT_EQ(checked.code, 0) << checked.error;
    EXPECT_NE(checked.out.find("1 language, all goldens equal"), std::string::npos) << checked.out;
    const Answer printed = ask("lesson run mine.flopsmith-lesson --headless");
    EXPECT_NE(printed.out.find("answer: 660606025728"), std::string::npos) << printed.out;
    expectRefusal("lesson new mine.flopsmith-lesson", "exists already");
}

TEST_F(LessonCommand, NamesTheStepOfAWrongGolden)
{
    std::string lesson = shell("flopsmith lesson new a.json; cat a.json").out;
    lesson.replace(lesson.find("660606025728"), 12, "660606025729");
    file("b.json", lesson);
    expectRefusal("lesson check b.json", "step 3: with('seq=2048', total()) is 660606025728");
    expectRefusal("lesson check nowhere.json", "nowhere.json");
}

TEST_F(LessonCommand, AFileComesBeforeAnInstalledLesson)
{
    EXPECT_EQ(ask("lesson new where-flops-go").code, 0);
    const Answer own = ask("lesson check where-flops-go");
    EXPECT_NE(own.out.find("1 language, all goldens equal"), std::string::npos) << own.out;
}

TEST_F(LessonCommand, HandsOutALessonByItsName)
{
    const Answer answer = ask("lesson handout where-flops-go -o h.md");
    EXPECT_EQ(answer.code, 0) << answer.error;
    EXPECT_NE(text(folder / "h.md").find("Answers"), std::string::npos);
    expectRefusal("lesson handout nosuch -o h.md", "nosuch");
}

} // namespace
} // namespace flopsmith
