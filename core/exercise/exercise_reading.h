// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/exercise/exercise.h"

#include <string>
#include <string_view>

namespace flopsmith {

/// The exercise in a file's text. The Error names the source, the place and what is wrong; unknown
/// keys are an Error, except "comment", which is ignored. ExerciseMarker checks expressions,
/// checkExercise() the answers.
Result<Exercise> readExercise(std::string_view text, const std::string& sourceName);

/// The exercise as readExercise() reads it, without comments.
std::string exerciseJson(const Exercise& exercise);

/// The exercise in a file, or if there is no such file an installed one by its id or its file's
/// name.
Result<Exercise> exerciseNamed(const std::string& nameOrPath);

} // namespace flopsmith
