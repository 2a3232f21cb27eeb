// SPDX-License-Identifier: MIT
#pragma once

#include "core/exercise/exercise_answer.h"

#include <string>

namespace flopsmith {

/// The exercise that an answer belongs to: one that comes with the program, or one from the files
/// in `folder`. An Error if there is none, or if the one with its id has other checks.
Result<ExerciseMarker> answeredExercise(const ExerciseAnswer& answer, const std::string& folder);

} // namespace flopsmith
