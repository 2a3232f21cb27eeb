// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/commands/command_test.h"

#include <gmock/gmock.h>

#include <fstream>

namespace flopsmith {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

class ExportCommand : public Commands
{
protected:
    Answer exported(const std::string& arguments) const
    {
        return ask("export torch " + arguments + " --no-check -o x");
    }
};

TEST_F(ExportCommand, SaysWhatWasWrittenAndHowToCheckIt)
{
    const Answer answer = exported("tiny");

    EXPECT_EQ(answer.code, 0) << answer.error;
    EXPECT_EQ(answer.out,
              "x: 124672 parameters, outputs and gradients to compare with; "
              "check them by: python x/check.py\n");
}

class CheckedExport : public ExportCommand
{
protected:
    // The export where FLOPSMITH_PYTHON is a script of the shell.
    Answer checkedBy(const std::string& script) const
    {
        const fs::path python = file("python", "#!/bin/sh\n" + script + "\n");
        fs::permissions(python, fs::perms::owner_all);
        return shell("export FLOPSMITH_PYTHON=" + python.string()
                     + "; flopsmith export torch tiny -o x --force");
    }

    std::string readme() const { return text(folder / "x" / "README.md"); }
};

TEST_F(CheckedExport, SaysThatItIsEqualAndWhereItWasChecked)
{
    const Answer answer = checkedBy("echo \"$1: equal\"; echo 'gradients: equal'");

    EXPECT_EQ(answer.code, 0) << answer.error;
    EXPECT_THAT(answer.out, HasSubstr("python: x/check.py: equal; gradients: equal\n"));
    EXPECT_THAT(readme(), HasSubstr("python: x/check.py: equal; gradients: equal\n"));
    EXPECT_THAT(readme(), testing::Not(HasSubstr("was not run")));
}

TEST_F(CheckedExport, FailsWhereItIsDifferent)
{
    const Answer answer = checkedBy("echo 'outputs: NOT EQUAL'; exit 1");

    EXPECT_EQ(answer.code, 1);
    EXPECT_THAT(answer.out, HasSubstr("and it is different: outputs: NOT EQUAL"));
    EXPECT_THAT(readme(), HasSubstr("and it is different: outputs: NOT EQUAL"));
}

TEST_F(CheckedExport, SaysWhyItWasNotChecked)
{
    const Answer answer =
        checkedBy("echo \"ModuleNotFoundError: No module named 'torch'\" >&2; exit 1");

    EXPECT_EQ(answer.code, 0) << answer.error;
    EXPECT_THAT(answer.out,
                HasSubstr("it has no torch\nWhere a Python has torch: python x/check.py"));
    EXPECT_THAT(readme(), HasSubstr("Not checked here by "));

    const Answer none = shell("export FLOPSMITH_PYTHON=nowhere; flopsmith export torch tiny -o y");
    EXPECT_EQ(none.code, 0) << none.error;
    EXPECT_THAT(none.out, HasSubstr("Not checked here: there is no nowhere"));
}

TEST_F(ExportCommand, LeavesTheCheckOutIfAsked)
{
    ASSERT_EQ(exported("tiny").code, 0);
    EXPECT_THAT(text(folder / "x" / "README.md"),
                HasSubstr("Not checked here: check.py was not run."));
}

TEST_F(ExportCommand, WritesTheWeightsOfAFolderAsOneFile)
{
    ASSERT_EQ(exported("tiny").code, 0);

    const Answer whole = ask("export safetensors x -o all.safetensors");
    EXPECT_EQ(whole.code, 0) << whole.error;
    EXPECT_THAT(whole.out, HasSubstr("all.safetensors: 124672 numbers in "));
    EXPECT_THAT(whole.out, testing::Not(HasSubstr("rounding")));
    EXPECT_EQ(
        ask("logits x/design.flopsmith --weights all.safetensors --tokens 1,2 --format csv").out,
        ask("logits x/design.flopsmith --weights x --tokens 1,2 --format csv").out);

    const Answer half = ask("export safetensors x --dtype bf16 -o half.safetensors");
    EXPECT_EQ(half.code, 0) << half.error;
    EXPECT_THAT(half.out, HasSubstr("the largest rounding error is 0.4 %, in blocks."));
    EXPECT_LT(fs::file_size(folder / "half.safetensors"),
              fs::file_size(folder / "all.safetensors"));
}

TEST_F(ExportCommand, RefusesWeightsThatAreNone)
{
    EXPECT_EQ(ask("export safetensors nowhere -o y").code, 1);
    file("bad.safetensors", "12345678{}");
    const Answer bad = ask("export safetensors bad.safetensors -o y");
    EXPECT_EQ(bad.code, 1);
    EXPECT_EQ(bad.errorLines(), 1) << bad.error;
    EXPECT_FALSE(fs::exists(folder / "y"));
}

TEST_F(ExportCommand, ChangesTheDesignAsOtherCommandsDo)
{
    ASSERT_EQ(exported("tiny --set layers=3").code, 0);

    EXPECT_EQ(ask("cost x/design.flopsmith").out, ask("cost tiny --set layers=3").out);
}

TEST_F(ExportCommand, RefusesAFolderThatIsThereUnlessForced)
{
    ASSERT_EQ(exported("tiny").code, 0);

    EXPECT_EQ(exported("tiny").code, 1);
    EXPECT_THAT(exported("tiny").error,
                EndsWith(" exists; name a new folder, or --force to write into it\n"));
    EXPECT_EQ(exported("tiny --force").code, 0);
}

TEST_F(ExportCommand, WantsToKnowWhatToExportTo)
{
    EXPECT_EQ(ask("export").code, 2);
    EXPECT_THAT(ask("export").error, HasSubstr("flopsmith export torch MODEL -o DIR"));
}

TEST_F(ExportCommand, LogitsAreThoseOfTheExportedWeights)
{
    ASSERT_EQ(exported("tiny").code, 0);

    const std::string tokens = " --tokens 1,2,3 --format csv";
    const Answer stored = ask("logits x/design.flopsmith --weights x" + tokens);
    EXPECT_EQ(stored.code, 0) << stored.error;
    EXPECT_EQ(stored.out, ask("logits tiny" + tokens).out);
    EXPECT_NE(stored.out, ask("logits tiny --seed 8" + tokens).out);
}

TEST_F(ExportCommand, LogitsNameTheWeightThatIsNoNumber)
{
    ASSERT_EQ(exported("tiny").code, 0);
    std::fstream weights(folder / "x/model.safetensors",
                         std::ios::in | std::ios::out | std::ios::binary);
    weights.seekp(-4, std::ios::end);
    weights << "\xff\xff\xff\xff"; // NaN
    weights.close();

    const Answer answer = ask("logits x/design.flopsmith --weights x --tokens 1");

    EXPECT_EQ(answer.code, 0);
    EXPECT_THAT(answer.error, HasSubstr("holds 1 value that is no number (NaN or infinity)"));
}

TEST_F(ExportCommand, LogitsOfABareModelAreItsLargestFeatures)
{
    const Answer answer =
        ask("logits bert-base --set layers=1 --set vocab=50 --tokens 1,2 --top 2 --format csv");

    ASSERT_EQ(answer.code, 0) << answer.error;
    EXPECT_THAT(answer.out, testing::StartsWith("position,rank,feature,value\r\n"));
    EXPECT_EQ(std::count(answer.out.begin(), answer.out.end(), '\n'), 3);
}

TEST_F(ExportCommand, LogitsRefuseWhatTheModelCannotRead)
{
    const auto error = [&](const std::string& arguments) {
        const Answer answer = ask("logits " + arguments);
        EXPECT_EQ(answer.code, 1) << arguments;
        EXPECT_EQ(answer.out, "");
        return answer.error;
    };

    EXPECT_THAT(error("tiny --tokens 1,,2"), HasSubstr("numbers of tokens look like 1,2,3"));
    EXPECT_THAT(error("tiny --tokens 1,"), HasSubstr("numbers of tokens look like 1,2,3"));
    EXPECT_THAT(error("tiny --tokens 300"), HasSubstr("it must be 0 … 255"));
    EXPECT_THAT(error("tiny --tokens 1 --source 2"), HasSubstr("no encoder that reads --source"));
    EXPECT_THAT(error("t5-small --tokens 1"), HasSubstr("--source"));
    EXPECT_THAT(error("vit-base-patch16-224 --tokens 1"),
                HasSubstr("name a model that reads tokens"));
    EXPECT_THAT(error("llama-3-8b --tokens 1"), HasSubstr("at most 1000000000"));
}

} // namespace
} // namespace flopsmith
