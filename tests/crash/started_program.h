// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/check.h"
#include "tests/support/programs.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace flopsmith {

/// Starts the real program without a display, in a folder of its own that is also its home.
class StartedProgram : public testing::Test
{
protected:
    StartedProgram()
    {
        std::string name =
            (std::filesystem::temp_directory_path() / "flopsmith-started-XXXXXX").string();
        FLOPSMITH_CHECK(mkdtemp(name.data()) != nullptr);
        folder = name;
    }
    ~StartedProgram() override { std::filesystem::remove_all(folder); }

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

    std::filesystem::path folder;
};

} // namespace flopsmith
