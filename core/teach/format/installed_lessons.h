// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

namespace flopsmith {

/// A file of resources/lessons, part of the program since the build.
struct InstalledLesson
{
    std::string_view fileName; ///< "02-where-flops-go.flopsmith-lesson"
    std::string_view text;
};

/// All of them, by their names.
const std::vector<InstalledLesson>& installedLessons();

} // namespace flopsmith
