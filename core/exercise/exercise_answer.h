// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/exercise/exercise_marks.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace flopsmith {

/// The version of the format that this program writes.
inline constexpr int kAnswerFormat = 1;

/// The largest number of attempts and of seconds in an answer.
inline constexpr int kMaxTries = 1'000'000;
inline constexpr std::int64_t kMaxSeconds = 1'000'000'000;

/// Bytes of an answer in words.
inline constexpr std::size_t kMaxAnswerWords = 100'000;

/// The answer that a student hands in.
struct ExerciseAnswer
{
    std::string exercise; ///< its id
    std::string digest; ///< exerciseDigest()
    std::string student{}; ///< may be empty: then the file's name identifies the student
    Project design{};
    TypedNumbers numbers{};
    std::map<std::string, int> tries{}; ///< by the ids of checks
    std::string words{}; ///< the answer to Exercise::question
    std::int64_t seconds = 0; ///< spent on it
    bool unlocked = false; ///< whether locks of the start were taken off

    bool operator==(const ExerciseAnswer&) const = default;
};

/// The answer in a file's text. The Error names the source, the place and what is wrong.
Result<ExerciseAnswer> readAnswer(std::string_view text, const std::string& sourceName);

/// The answer as readAnswer() reads it.
std::string answerJson(const ExerciseAnswer& answer);

/// An Error if the answer was not given to this exercise with these checks.
Status isAnswerTo(const ExerciseMarker& marker, const ExerciseAnswer& answer);

} // namespace flopsmith
