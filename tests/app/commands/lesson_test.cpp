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

    const Answer both = ask("lesson check mine.flopsmith-lesson README.md");
    EXPECT_EQ(both.code, 0) << both.error;
    EXPECT_NE(both.out.find("README.md: left out, no lesson"), std::string::npos) << both.out;
    expectRefusal("lesson check README.md", "README.md");
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
    expectRefusal("lesson handout where-flops-go -o -", "a handout is a file");
    expectRefusal("lesson handout where-flops-go -o h.doc", "h.doc has the suffix .doc");
}

TEST_F(LessonCommand, HandsOutWhatTheTeacherAsksFor)
{
    ASSERT_EQ(ask("lesson handout where-flops-go --answers none -o a --format md").code, 0);
    EXPECT_EQ(text(folder / "a").find("Answer"), std::string::npos);

    ASSERT_EQ(ask("lesson handout where-flops-go --teacher --language de -o b.html").code, 0);
    const std::string german = text(folder / "b.html");
    EXPECT_NE(german.find("291.648.307.200"), std::string::npos);
    EXPECT_NE(german.find("Antwort: "), std::string::npos);
    EXPECT_EQ(german.find("Question"), std::string::npos);

    EXPECT_NE(ask("lesson handout where-flops-go --answers maybe -o c.md").code, 0);
}

TEST_F(LessonCommand, HandsOutPagesWhoseTextCanBeRead)
{
    if (shell("command -v pdftotext").code != 0) {
        GTEST_SKIP() << "no pdftotext";
    }
    ASSERT_EQ(ask("lesson handout where-flops-go -o h.pdf").code, 0);
    const Answer read = shell("pdftotext h.pdf -");

    EXPECT_NE(read.out.find("291,648,307,200"), std::string::npos);
    EXPECT_NE(read.out.find("FS1."), std::string::npos);
}

} // namespace
} // namespace flopsmith
