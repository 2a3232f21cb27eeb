// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/check.h"
#include "core/json/json_text.h"
#include "tests/support/programs.h"

#include <gtest/gtest.h>

#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

// The real program as a script sees it: exit codes, what stands where, and what is left behind.
namespace flopsmith {

namespace fs = std::filesystem;

class Commands : public testing::Test
{
public:
    struct Answer
    {
        int code = -1;
        std::string out;
        std::string error;

        auto errorLines() const { return std::count(error.begin(), error.end(), '\n'); }
    };

protected:
    Commands()
    {
        std::string name = (fs::temp_directory_path() / "flopsmith-XXXXXX").string();
        FLOPSMITH_CHECK(mkdtemp(name.data()) != nullptr);
        folder = name;
        fs::create_directory(storeFolder());
    }

    ~Commands() override
    {
        fs::remove_all(folder);
        fs::remove_all(storeFolder());
    }

    /// Beside the folder, so that nothing appears there that a command did not write.
    fs::path storeFolder() const { return folder.string() + "-store"; }

    fs::path file(const std::string& name, const std::string& text) const
    {
        std::ofstream(folder / name, std::ios::binary) << text;
        return folder / name;
    }

    static std::string text(const fs::path& path)
    {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    /// The programs as words of a shell command.
    static std::string program() { return shellWord(builtProgram("flopsmith")); }
    static std::string bench() { return shellWord(builtProgram("flopsmith-bench")); }

    Answer ask(const std::string& arguments) const { return shell("flopsmith " + arguments); }

    /// A script in which flopsmith is the program, in the test's folder and with its store.
    Answer shell(const std::string& script) const
    {
        const std::string command = "cd " + shellWord(folder) + " && export FLOPSMITH_STORE="
            + shellWord(storeFolder() / "measurements.db") + "; flopsmith() { " + program()
            + " \"$@\"; }; { " + script + "\n} >out.txt 2>error.txt </dev/null";
        const int status = std::system(command.c_str()); // NOLINT: the shell redirects
        return {WEXITSTATUS(status), text(folder / "out.txt"), text(folder / "error.txt")};
    }

    /// Files in the folder beside what shell() writes.
    std::ptrdiff_t files() const
    {
        return std::count_if(fs::directory_iterator(folder), {}, [](const auto& entry) {
            const fs::path name = entry.path().filename();
            return name != "out.txt" && name != "error.txt";
        });
    }

    /// The JSON of an answer that succeeded.
    static Json parsed(const Answer& answer)
    {
        EXPECT_EQ(answer.code, 0) << answer.error;
        return ownJson(answer.out);
    }

    void expectRefusal(const std::string& arguments, const std::string& expected) const
    {
        const Answer answer = ask(arguments);
        EXPECT_EQ(answer.code, 1) << arguments << "\n" << answer.error;
        EXPECT_EQ(answer.out, "") << arguments;
        EXPECT_EQ(answer.errorLines(), 1) << arguments << "\n" << answer.error;
        EXPECT_NE(answer.error.find(expected), std::string::npos) << answer.error;
    }

    fs::path folder;
};

} // namespace flopsmith
