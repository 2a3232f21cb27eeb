// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/commands/command_test.h"

#include <gmock/gmock.h>

namespace flopsmith {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

class ExportCommand : public Commands
{
protected:
    Answer exported(const std::string& arguments) const
    {
        return ask("export torch " + arguments + " -o x");
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
    EXPECT_THAT(error("bert-base --tokens 1"), HasSubstr("no logits of tokens"));
    EXPECT_THAT(error("llama-3-8b --tokens 1"), HasSubstr("at most 1000000000"));
}

} // namespace
} // namespace flopsmith
