// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace flopsmith {

/// A file beside the programs with the remaining seconds of their build. The build rewrites it
/// every few seconds and removes it at the end; a file older than a minute is a leftover.
inline constexpr const char* kBeingBuiltFile = ".being-built";

/// How long until this program is there, if it is still being built: the window starts before the
/// programs that measure and train. At least 0.
std::optional<int> secondsUntilBuilt(const std::filesystem::path& program);

/// "flopsmith-bench is still being built, about 2 min left", if it is.
std::optional<std::string> beingBuiltText(const std::filesystem::path& program);

} // namespace flopsmith
