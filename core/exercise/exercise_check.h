// SPDX-License-Identifier: MIT
#pragma once

#include "core/exercise/exercise.h"

#include <string>
#include <vector>

namespace flopsmith {

/// The problems of an exercise as its author has it, one sentence each. It checks that all texts
/// exist in all languages and their values can be computed, goldens equal their expressions, and
/// the solution reaches full points with the goldens as typed numbers while the start does not.
/// Empty if there is none.
std::vector<std::string> checkExercise(const Exercise& exercise);

} // namespace flopsmith
