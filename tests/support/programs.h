// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace flopsmith {

/// The path of a program of this build: all of them stand beside the test that runs.
inline std::string builtProgram(const std::string& name)
{
    return std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
}

/// A text as one word of a shell command, whatever characters it has.
inline std::string shellWord(const std::string& text)
{
    std::string word = "'";
    for (const char character : text) {
        word += character == '\'' ? std::string("'\\''") : std::string(1, character);
    }
    return word + "'";
}

} // namespace flopsmith
