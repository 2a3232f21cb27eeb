// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace flopsmith {

// Suffixes of the files that the program writes.
inline constexpr std::string_view kProjectSuffix = ".flopsmith";
inline constexpr std::string_view kLessonSuffix = ".flopsmith-lesson";
inline constexpr std::string_view kExerciseSuffix = ".flopsmith-exercise";
inline constexpr std::string_view kAnswerSuffix = ".flopsmith-answer"; ///< of an exercise
inline constexpr std::string_view kLabSuffix = ".flopsmith-lab";
inline constexpr std::string_view kLogSuffix = ".jsonl"; ///< of a lab

/// Whether a file's name ends so, in capital or small letters, which other systems do not keep apart.
constexpr bool hasSuffix(std::string_view path, std::string_view suffix)
{
    const auto small = [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    };
    if (path.size() < suffix.size()) {
        return false;
    }
    path.remove_prefix(path.size() - suffix.size());
    for (std::size_t i = 0; i < suffix.size(); ++i) {
        if (small(path[i]) != suffix[i]) {
            return false;
        }
    }
    return true;
}

} // namespace flopsmith
