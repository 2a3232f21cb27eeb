// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

namespace flopsmith {

/// A file of resources/exercises, part of the program since the build.
struct InstalledExercise
{
    std::string_view fileName; ///< "01-smallest-cache.flopsmith-exercise"
    std::string_view text;
};

/// All of them, by their names.
const std::vector<InstalledExercise>& installedExercises();

} // namespace flopsmith
