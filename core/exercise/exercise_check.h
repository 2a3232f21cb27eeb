// SPDX-License-Identifier: MIT
#pragma once

#include "core/exercise/exercise.h"

#include <string>
#include <vector>

namespace flopsmith {

/// What is wrong with an exercise as its author has it, one sentence each: all texts are there in all
/// languages and their values can be computed, goldens equal their expressions, the solution reaches
/// full points with the goldens as typed numbers, and the start does not. Empty if all is well.
std::vector<std::string> checkExercise(const Exercise& exercise);

} // namespace flopsmith
