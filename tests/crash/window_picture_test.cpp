// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/crash/started_program.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace flopsmith {
namespace {

namespace fs = std::filesystem;

class WindowPicture : public StartedProgram
{
protected:
    int codeWith(std::vector<std::string> arguments) const
    {
        arguments.insert(arguments.begin(), {"gpt2", "--screenshot", "picture.png"});
        return exitCode(start(std::move(arguments)));
    }
};

TEST_F(WindowPicture, IsTakenAfterTheActionsThatAreNamed)
{
    EXPECT_EQ(codeWith({"--action", "window.commands"}), 0);
    EXPECT_GT(fs::file_size(folder / "picture.png"), 10'000u);
}

TEST_F(WindowPicture, ShowsADialogThatAnActionOpens)
{
    EXPECT_EQ(codeWith({"--action", "help.about"}), 0);
    EXPECT_TRUE(fs::exists(folder / "picture.png"));
}

TEST_F(WindowPicture, IsNotTakenIfAnActionIsUnknownOrDisabled)
{
    EXPECT_EQ(codeWith({"--action", "window.comands"}), 1);
    EXPECT_EQ(codeWith({"--action", "edit.redo"}), 1);
    EXPECT_FALSE(fs::exists(folder / "picture.png"));
}

TEST_F(WindowPicture, IsNeededForActions)
{
    EXPECT_EQ(exitCode(start({"gpt2", "--action", "window.commands"})), 2);
}

} // namespace
} // namespace flopsmith
