// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace flopsmith::test {

inline bool hasPython()
{
    return std::system("python3 -c '' >/dev/null 2>&1") == 0; // NOLINT(cert-env33-c)
}

/// Whether Python can read all texts; it prints what it cannot.
inline bool compilesInPython(const std::vector<std::string>& texts)
{
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("flopsmith-python-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        std::ofstream(folder / (std::to_string(i) + ".py")) << texts[i];
    }
    const std::string command = "cd '" + folder.string()
        + "' && python3 -c 'import glob; [compile(open(f, encoding=\"utf-8\").read(), f, \"exec\") "
          "for f in glob.glob(\"*.py\")]'";
    const bool compiled = std::system(command.c_str()) == 0; // NOLINT(cert-env33-c)
    std::filesystem::remove_all(folder);
    return compiled;
}

} // namespace flopsmith::test
