// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/exercise/exercise.h"

#include <string>
#include <string_view>

namespace flopsmith {

/// What the names of exercise files end with.
inline constexpr std::string_view kExerciseSuffix = ".flopsmith-exercise";

/// The exercise of a file's text. An Error names the source, the place and what is wrong; unknown
/// keys are refused, except "comment", which is ignored. Expressions are judged by ExerciseMarker,
/// answers by checkExercise().
Result<Exercise> readExercise(std::string_view text, const std::string& sourceName);

/// The exercise as readExercise() reads it, without comments.
std::string exerciseJson(const Exercise& exercise);

/// The exercise in a file, or where there is no such file an installed one by its id or its file's
/// name.
Result<Exercise> exerciseNamed(const std::string& nameOrPath);

} // namespace flopsmith
