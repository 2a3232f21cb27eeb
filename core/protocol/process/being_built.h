// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace flopsmith {

/// The file beside the programs with the seconds that their build still takes. Who builds them writes it
/// anew every few seconds and removes it at the end; one that is older than a minute was left behind.
inline constexpr const char* kBeingBuiltFile = ".being-built";

/// How long until this program is there, if it is still being built: the window starts before the
/// programs that measure and train. At least 0.
std::optional<int> secondsUntilBuilt(const std::filesystem::path& program);

/// "flopsmith-bench is still being built, about 2 min left", if it is.
std::optional<std::string> beingBuiltText(const std::filesystem::path& program);

} // namespace flopsmith
