// SPDX-License-Identifier: MIT
#pragma once

#include "core/exercise/exercise_answer.h"

#include <string>

namespace flopsmith {

/// The exercise that an answer was given to: one of those that come with the program, or of the files
/// in `folder`. The Error says that neither is, or that one with its id has other checks.
Result<ExerciseMarker> answeredExercise(const ExerciseAnswer& answer, const std::string& folder);

} // namespace flopsmith
