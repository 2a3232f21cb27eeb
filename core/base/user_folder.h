// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace flopsmith {

/// The folder in an XDG variable, or `otherwise` below HOME; empty without either. Relative paths
/// are ignored, as the XDG Base Directory Specification requires.
std::filesystem::path userFolder(const char* variable, const std::filesystem::path& otherwise);

} // namespace flopsmith
