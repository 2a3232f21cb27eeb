// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace flopsmith {

/// The folder that an XDG variable names, or `otherwise` below HOME; empty without either. Relative
/// paths are ignored, as the XDG Base Directory Specification wants it.
std::filesystem::path userFolder(const char* variable, const std::filesystem::path& otherwise);

} // namespace flopsmith
