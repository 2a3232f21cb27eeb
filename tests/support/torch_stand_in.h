// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace flopsmith::test {

/// A program of that name in the folder which stands in for a Python whose PyTorch sees a GPU: it says
/// what worker.py says of itself, and answers nothing else.
inline std::string torchStandIn(const std::filesystem::path& folder,
                                const std::string& name = "python3")
{
    const std::filesystem::path path = folder / name;
    std::ofstream(path) << R"(#!/bin/sh
cat <<'END'
{"torch":"2.6.0","python":"3.11.2","device":"cuda:0","title":"Stand-in GPU","platform":"CUDA","platform_version":"12.4","bytes":1073741824,"threads":1,"devices":[{"name":"cuda:0","title":"Stand-in GPU"},{"name":"cpu","title":"CPU"}]}
END
cat >/dev/null
rm -rf "$2" # its folder, as worker.py does
)";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path.string();
}

} // namespace flopsmith::test
