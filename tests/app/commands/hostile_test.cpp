// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json/json_text.h"
#include "tests/app/commands/command_test.h"
#include "tests/app/commands/stand_in.h"

#include <gmock/gmock.h>

// Arguments, files and systems at their worst.
namespace flopsmith {
namespace {

using testing::HasSubstr;
using testing::Not;

class Hostile : public Commands
{
protected:
    void expectWrongUsage(const std::string& arguments, const std::string& expected) const
    {
        const Answer answer = ask(arguments);
        EXPECT_EQ(answer.code, 2) << arguments << "\n" << answer.error;
        EXPECT_EQ(answer.out, "") << arguments;
        EXPECT_EQ(answer.errorLines(), 1) << answer.error;
        EXPECT_THAT(answer.error, HasSubstr(expected)) << arguments;
    }
};

TEST_F(Hostile, OptionsOfTheWindowBeforeACommandAreRefused)
{
    for (const char* option :
         {"--no-store", "--store x.db", "--theme dark", "--size 640x480", "--screenshot x.png"}) {
        expectWrongUsage(std::string(option) + " measure tiny --seq 4 --budget 0.1",
                         "before \"measure\" is for the window");
    }
    expectWrongUsage("gpt2 cost tiny", "before \"cost\"");
    EXPECT_FALSE(fs::exists(storeFolder() / "measurements.db"));
    EXPECT_EQ(files(), 0);
}

TEST_F(Hostile, ANameOfAFileIsPrintedWithoutItsEscapes)
{
    const Answer answer =
        shell("flopsmith chart tiny --kind share -o \"$(printf 'a\\033[31m.svg')\"");

    EXPECT_EQ(answer.code, 0) << answer.error;
    EXPECT_EQ(answer.out, "wrote a [31m.svg\n");
}

TEST_F(Hostile, ARateThatTrainsNothingIsRefused)
{
    for (const char* rate : {"0", "-1", "nan", "11"}) {
        expectRefusal("lab run --task text --rate " + std::string(rate) + " -o l.jsonl",
                      "base_rate must be above 0 and at most 10");
    }
    EXPECT_EQ(files(), 0);
}

TEST_F(Hostile, ANamedPipeWithoutItsOtherEndIsRefused)
{
    ASSERT_EQ(shell("mkfifo p.flopsmith").code, 0);

    expectRefusal("cost p.flopsmith", "p.flopsmith: this is a pipe, and nobody writes into it");
    expectRefusal("check p.flopsmith", "nobody writes into it");
    expectRefusal("results import p.flopsmith", "nobody writes into it");
    expectRefusal("train tiny --tokens 1e9 --hardware ./p.flopsmith", "nobody writes into it");
    expectRefusal("cost tiny -o p.flopsmith", "this is a pipe, and nobody reads it");
}

TEST_F(Hostile, APipeWithAWriterIsReadAndOneWithAReaderIsWritten)
{
    const std::string plain = ask("cost tiny").out;

    EXPECT_EQ(shell("cat " + shellWord(FLOPSMITH_TINY_MODEL) + " | flopsmith cost /dev/stdin").code,
              0);
    const Answer copied = shell("mkfifo p; cat p & flopsmith cost tiny -o p; wait");
    EXPECT_EQ(copied.out, plain) << copied.error;
}

TEST_F(Hostile, AFileThatMayNotGrowIsAnErrorAndKeepsTheOldOne)
{
    file("a.txt", "old");
    for (const char* command : {"cost tiny -o a.txt",
                                "sweep tiny --axis seq=1,2 --format csv -o a.txt",
                                "results export a.txt"}) {
        const Answer answer = shell("{ (ulimit -f 0; flopsmith " + std::string(command)
                                    + "; echo code $?) 2>&1; } | cat");

        EXPECT_THAT(answer.out, HasSubstr("a.txt: cannot be written")) << command;
        EXPECT_THAT(answer.out, HasSubstr("code 1")) << command;
        EXPECT_EQ(text(folder / "a.txt"), "old") << command;
        EXPECT_EQ(files(), 1) << command;
    }
}

// Whenever it comes.
TEST_F(Hostile, AClosedTerminalLeavesNoHalfFile)
{
    file("s.csv", "old");

    const Answer answer = shell(program()
                                + " sweep gpt2 --axis seq=1..10000:10000 --axis batch=1..1000:1000"
                                  " --format csv -o s.csv & kill -HUP $!; wait $!; echo $?");

    EXPECT_EQ(answer.out, "129\n") << answer.error;
    EXPECT_EQ(text(folder / "s.csv"), "old");
    EXPECT_EQ(files(), 1);
}

TEST_F(Hostile, ALongArgumentIsNotRepeatedInFull)
{
    const std::string ones(100'000, '1');
    for (const std::string& arguments : {"sweep tiny --axis seq=" + ones,
                                         "sweep tiny --axis " + ones,
                                         "sweep tiny --axis seq=" + ones + "..2",
                                         "sweep tiny --axis seq=1 --tie " + ones,
                                         "sweep tiny --axis seq=1 --metric x" + ones,
                                         "find tiny --largest d_ff --bound " + ones,
                                         "find tiny --largest d_ff --bound 'params<=x" + ones + "'",
                                         "find tiny --value d_ff --match " + ones,
                                         "cost tiny --seq " + ones,
                                         "cost tiny --set " + ones,
                                         "cost tiny --set " + ones + "=1",
                                         "cost tiny --set d_ff=" + ones,
                                         "cost " + ones,
                                         "cost tiny --phase " + ones,
                                         "cost tiny " + ones,
                                         "results --since " + ones,
                                         "peaks --device " + ones,
                                         "train tiny --hardware this --tokens " + ones}) {
        const Answer answer = ask(arguments);
        EXPECT_NE(answer.code, 0);
        EXPECT_LT(answer.error.size(), 3'000U) << arguments.substr(0, 60);
        EXPECT_EQ(answer.errorLines(), 1) << arguments.substr(0, 60);
    }
}

TEST_F(Hostile, ANameOf250BytesIsWritten)
{
    const std::string name(250, 'n');

    EXPECT_EQ(ask("cost tiny -o " + name).code, 0);
    EXPECT_EQ(ask("sweep tiny --axis seq=1,2 --format csv -o " + name).code, 0);

    EXPECT_THAT(text(folder / name), HasSubstr("seq,"));
    EXPECT_EQ(files(), 1);
}

TEST_F(Hostile, AnEmptyValueIsNotTakenForNone)
{
    for (const char* arguments : {"cost tiny --seq ''",
                                  "cost tiny --batch ''",
                                  "cost tiny --context ''",
                                  "cost ''",
                                  "cost tiny -o ''",
                                  "chart tiny --kind scaling --axis '' -o x.csv",
                                  "measure tiny --device ''",
                                  "results --since ''",
                                  "--screenshot ''"}) {
        expectWrongUsage(arguments, "must not be empty");
    }
    expectWrongUsage("roofline tiny --hardware device:", "names no device");
    EXPECT_EQ(files(), 0);
}

TEST_F(Hostile, NumbersAreDecimalAndCountsAreWhole)
{
    const std::string train = "train tiny --hardware a100-sxm-80gb ";
    expectWrongUsage(train + "--tokens 0x10", "0x10 is no number from 1 to");
    expectWrongUsage(train + "--tokens 1e9 --devices 1.5", "1.5 is no whole number from 1 to");
    expectWrongUsage(train + "--tokens 1e9 --devices 0x10", "0x10 is no whole number");
    expectWrongUsage("measure tiny --block 0x1", "0x1 is no whole number");
    expectWrongUsage("claims --count-only --d 0x100", "0x100 is no whole number");
    EXPECT_EQ(ask(train + "--tokens 300e9 --devices 8").code, 0);
}

TEST_F(Hostile, ADashIsStandardOutput)
{
    EXPECT_EQ(ask("cost tiny -o -").out, ask("cost tiny").out);
    const std::string sweep = "sweep tiny --axis seq=1,2 --format csv";
    EXPECT_EQ(ask(sweep + " -o -").out, ask(sweep).out);
    EXPECT_EQ(ask("formula tiny -o -").out, ask("formula tiny").out);
    EXPECT_EQ(ask("results export -").out, ask("results export").out);
    expectRefusal("demo -o -", "name a folder");
    expectRefusal("chart tiny --kind share -o -", "has no suffix");
    EXPECT_EQ(files(), 0);
}

TEST_F(Hostile, ALinkToNothingYetIsFollowedAndACircleRefused)
{
    fs::create_symlink("target.txt", folder / "link.txt");
    fs::create_symlink("circle", folder / "circle");

    EXPECT_EQ(ask("cost tiny -o link.txt").code, 0);
    expectRefusal("cost tiny -o circle", "circle: cannot be written");

    EXPECT_TRUE(fs::is_symlink(folder / "link.txt"));
    EXPECT_EQ(text(folder / "target.txt"), ask("cost tiny").out);
    EXPECT_TRUE(fs::is_symlink(folder / "circle"));
}

TEST_F(Hostile, TheNameOfAModelIsNoCommandToTheTerminal)
{
    Json model = ownJson(text(FLOPSMITH_TINY_MODEL));
    model["model"]["name"] = "G\x1B]0;owned\x07\xC2\x9B\xE2\x80\xAE";
    file("m.flopsmith", jsonText(model));

    for (const char* command : {"cost m.flopsmith",
                                "check m.flopsmith",
                                "memory m.flopsmith",
                                "waterfall m.flopsmith",
                                "compare m.flopsmith tiny",
                                "compare tiny m.flopsmith --format markdown",
                                "cost m.flopsmith --format markdown",
                                "memory m.flopsmith --format latex",
                                "sweep m.flopsmith --axis seq=1,2",
                                "find m.flopsmith --largest d_ff --bound 'params<=1G'"}) {
        const Answer answer = ask(command);
        EXPECT_EQ(answer.code, 0) << answer.error;
        for (const char* sign : {"\x1B", "\x07", "\xC2\x9B", "\xE2\x80\xAE"}) {
            EXPECT_THAT(answer.out, Not(HasSubstr(sign))) << command;
        }
    }
    EXPECT_THAT(ask("check m.flopsmith").out, HasSubstr("G ]0;owned"));
}

TEST_F(Hostile, WhatContradictsInASweepIsRefused)
{
    const std::string sweep = "sweep tiny --metric params --axis ";
    expectRefusal(sweep + "seq=1,2 --axis seq=4,8", "seq: varied twice");
    expectRefusal(sweep + "'blocks[0].d_ff=64,128' --axis d_ff=64", "varied twice, also as d_ff");
    expectRefusal(sweep + "d_model=64 --tie d_ff=4*d_model --tie d_ff=2*d_model",
                  "d_ff: tied twice");
    expectRefusal(sweep + "d_model=64 --tie d_ff=2*d_ff", "d_ff: tied to itself");
    expectRefusal(sweep + "d_model=64 --tie d_ff=2*vocab --tie vocab=d_ff/2", "tied to itself");
}

TEST_F(Hostile, ATieThatCannotBeMetTakesTheNearestValueAndSaysSo)
{
    const std::string sweep = "sweep gpt2 --axis d_model=96 --metric params --format csv --tie ";
    const Answer far = ask(sweep + "d_ff=1e16*d_model");
    const Answer farther = ask(sweep + "d_ff=1e17*d_model");

    EXPECT_EQ(farther.out, far.out);
    EXPECT_THAT(
        farther.error,
        HasSubstr("note: a tie is not met at 1 of 1 points, first at d_model=96: d_ff tied to "
                  "d_model would be 9.6e+18, which is not legal; the nearest that is, "));
    EXPECT_EQ(ask(sweep + "d_ff=4*d_model").error, "");
}

TEST_F(Hostile, WithoutAThreadToBeHadADeviceIsAskedAllTheSame)
{
    std::ofstream script(folder / "worker.sh");
    script << standInCommand("measured").back();
    script.close();
    // A stack that no address space holds: no thread starts.
    const std::string none = "ulimit -s 400000000000 && export XDG_CONFIG_HOME=\"$PWD/c\" && ";
    if (shell(none + "true").code != 0) {
        GTEST_SKIP() << "the size of a stack is limited here";
    }
    ASSERT_EQ(shell(none + "flopsmith devices add box -- /bin/sh worker.sh").code, 0);

    const Answer measured =
        shell(none + "flopsmith measure tiny --seq 4 --no-store --device box --format csv");
    const Answer swept = shell(none + "flopsmith sweep tiny --axis seq=1,2 --threads 4");
    const Answer listed = shell(none + "flopsmith devices --format csv");
    const Answer pooled =
        shell(none + "flopsmith sweep tiny --axis seq=1,2 --metric time --no-store --device box");

    EXPECT_EQ(measured.code, 0) << measured.error;
    EXPECT_EQ(swept.code, 0) << swept.error;
    EXPECT_EQ(listed.code, 0) << listed.error;
    EXPECT_THAT(listed.out, HasSubstr("box,test device"));
    EXPECT_EQ(pooled.code, 3) << pooled.out;
    EXPECT_THAT(pooled.error, HasSubstr("starts no more threads"));
    EXPECT_EQ(pooled.errorLines(), 1) << pooled.error;
}

} // namespace
} // namespace flopsmith
