// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

namespace flopsmith::torch {

/// A template from the sources of a variant, compiled into the program.
struct InstalledTemplate
{
    std::string_view path; ///< "ffn/spectral.py": the folder and the file
    std::string_view text;
};

/// All of them, by their paths.
const std::vector<InstalledTemplate>& installedTemplates();

} // namespace flopsmith::torch
