// SPDX-License-Identifier: MIT
#include "core/protocol/process/being_built.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <system_error>

namespace flopsmith {
namespace {

using FileTime = std::filesystem::file_time_type;

constexpr std::chrono::minutes kLeftBehind{1};

} // namespace

std::optional<int> secondsUntilBuilt(const std::filesystem::path& program)
{
    const std::filesystem::path file = program.parent_path() / kBeingBuiltFile;
    std::error_code missing;
    const FileTime written = std::filesystem::last_write_time(file, missing);
    if (missing || FileTime::clock::now() - written > kLeftBehind) {
        return std::nullopt;
    }
    int seconds = 0; // of a file that is being written
    std::ifstream(file) >> seconds;
    return std::max(seconds, 0);
}

std::optional<std::string> beingBuiltText(const std::filesystem::path& program)
{
    const std::optional<int> seconds = secondsUntilBuilt(program);
    if (!seconds) {
        return std::nullopt;
    }
    const int minutes = (*seconds + 30) / 60;
    return program.filename().string() + " is still being built, "
        + (minutes == 0 ? "less than a minute" : "about " + std::to_string(minutes) + " min")
        + " left";
}

} // namespace flopsmith
