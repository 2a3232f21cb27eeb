// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text_file.h"
#include "tests/crash/started_program.h"

#include <gtest/gtest.h>

#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

// The real program on a file that it cannot read.
namespace flopsmith {
namespace {

namespace fs = std::filesystem;

class BrokenFile : public StartedProgram
{
protected:
    BrokenFile()
    {
        FLOPSMITH_CHECK(writeFile((folder / "broken.flopsmith").string(), "{\"flopsmith\":").ok());
    }
};

// Whether the process has come as far as loading what draws its windows.
bool hasWindows(pid_t process)
{
    std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
    for (std::string line; std::getline(maps, line);) {
        if (line.find("libqoffscreen") != std::string::npos) {
            return true;
        }
    }
    return false;
}

TEST_F(BrokenFile, OpensTheWindowWhichTellsWhatIsWrong)
{
    const pid_t process = start({"broken.flopsmith"});
    bool opened = false;
    while (!opened && ::waitpid(process, nullptr, WNOHANG) == 0) {
        opened = hasWindows(process);
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }

    EXPECT_TRUE(opened);
    ::kill(process, SIGTERM);
    ::waitpid(process, nullptr, 0);
}

TEST_F(BrokenFile, IsRefusedWhereNobodySeesTheWindow)
{
    EXPECT_EQ(exitCode(start({"broken.flopsmith", "--screenshot", "picture.png"})), 1);
    EXPECT_FALSE(fs::exists(folder / "picture.png"));
    EXPECT_EQ(exitCode(start({"check", "broken.flopsmith"})), 1);
}

TEST_F(BrokenFile, ThatIsNotThereIsRefusedAsAMistypedCommand)
{
    EXPECT_EQ(exitCode(start({"cots"})), 1);
    EXPECT_EQ(exitCode(start({"--last", "broken.flopsmith"})), 2);
}

} // namespace
} // namespace flopsmith
