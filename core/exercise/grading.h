// SPDX-License-Identifier: MIT
#pragma once

#include "core/exercise/exercise_answer.h"
#include "core/exercise/exercise_marks.h"
#include "core/io/table/table.h"

#include <optional>
#include <string>
#include <vector>

namespace flopsmith {

/// A check of a student, or an answer that cannot be graded.
struct GradeRow
{
    std::string student;
    std::string check{}; ///< its id; empty: no answer, for the reason in `note`
    int points = 0;
    int of = 0;
    std::string value{}; ///< as CheckMark has it
    int tries = 0;
    bool unlocked = false;
    std::string note{};

    bool isGraded() const { return !check.empty(); }
    bool operator==(const GradeRow&) const = default;
};

/// A row for every check of an answer. `fileName` identifies the student if the answer does not.
std::vector<GradeRow> gradedAnswer(const ExerciseMarker& marker,
                                   const Result<ExerciseAnswer>& answer,
                                   const std::string& fileName);

/// student, check, points, of, value, tries, unlocked, note.
Table gradeTable(const std::vector<GradeRow>& rows);

} // namespace flopsmith
