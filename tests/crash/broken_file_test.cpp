// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/base/text_file.h"
#include "tests/support/programs.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

// The real program on a file that it cannot read.
namespace flopsmith {
namespace {

namespace fs = std::filesystem;

class BrokenFile : public testing::Test
{
protected:
    BrokenFile()
    {
        std::string name = (fs::temp_directory_path() / "flopsmith-broken-XXXXXX").string();
        FLOPSMITH_CHECK(mkdtemp(name.data()) != nullptr);
        folder = name;
        FLOPSMITH_CHECK(writeFile((folder / "broken.flopsmith").string(), "{\"flopsmith\":").ok());
    }
    ~BrokenFile() override { fs::remove_all(folder); }

    pid_t start(std::vector<std::string> arguments) const
    {
        const std::string program = builtProgram("flopsmith");
        arguments.insert(arguments.begin(), program);
        std::vector<char*> words;
        for (std::string& argument : arguments) {
            words.push_back(argument.data());
        }
        words.push_back(nullptr);
        const pid_t process = ::fork();
        if (process == 0) {
            for (const char* name :
                 {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"}) {
                ::setenv(name, folder.c_str(), 1);
            }
            ::setenv("QT_QPA_PLATFORM", "offscreen", 1);
            [[maybe_unused]] const int there = ::chdir(folder.c_str());
            ::execv(program.c_str(), words.data());
            ::_exit(127);
        }
        return process;
    }

    static int exitCode(pid_t process)
    {
        int status = 0;
        ::waitpid(process, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

    fs::path folder;
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
