// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/exercise/exercise.h"

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// Numbers of a question that are right, at most.
inline constexpr std::size_t kMaxRightNumbers = 1'000;

/// "1.76e+10": the number to so many significant digits. Of zero, "0".
std::string roundedText(double number, int digits);

/// The roundings of all numbers within the relative tolerance of `right`, ascending. An Error if
/// `right` is below zero or not finite, or if there are too many.
Result<std::vector<std::string>> rightNumbers(double right, int digits, double tolerance);

/// The replacement of a rounded number in a release.
std::string saltedHash(const Exercise& exercise,
                       const ExerciseCheck& check,
                       std::string_view roundedNumber);

/// The number that a person typed: "17.56e9", "17.56 G", "17 560 000 000".
Result<double> typedNumber(std::string_view text);

} // namespace flopsmith
