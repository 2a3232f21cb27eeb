// SPDX-License-Identifier: MIT
#include "core/exercise/grading.h"

namespace flopsmith {
namespace {

GradeRow ungraded(const std::string& student, const Error& error)
{
    return {.student = student, .note = error.message};
}

std::string noteOf(const CheckMark& mark)
{
    return mark.state == CheckMark::State::open ? "not answered" : mark.problem;
}

std::vector<Cell> cellsOf(const GradeRow& row)
{
    if (!row.isGraded()) {
        return {Cell::text(row.student), {}, {}, {}, {}, {}, {}, Cell::text(row.note)};
    }
    return {Cell::text(row.student),
            Cell::text(row.check),
            {.value = Count{row.points}, .shown = std::to_string(row.points)},
            {.value = Count{row.of}, .shown = std::to_string(row.of)},
            Cell::text(row.value),
            {.value = Count{row.tries}, .shown = std::to_string(row.tries)},
            {.value = row.unlocked, .shown = row.unlocked ? "yes" : "no"},
            Cell::text(row.note)};
}

} // namespace

std::vector<GradeRow> gradedAnswer(const ExerciseMarker& marker,
                                   const Result<ExerciseAnswer>& answer,
                                   const std::string& fileName)
{
    if (!answer) {
        return {ungraded(fileName, answer.error())};
    }
    const std::string student = answer->student.empty() ? fileName : answer->student;
    if (const Status belongs = isAnswerTo(marker, *answer); !belongs) {
        return {ungraded(student, belongs.error())};
    }
    const std::vector<CheckMark> marks = marker.marks(answer->design.scenario, answer->numbers);
    std::vector<GradeRow> rows;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        const ExerciseCheck& check = marker.exercise().checks[i];
        const auto tries = answer->tries.find(check.id);
        rows.push_back({.student = student,
                        .check = check.id,
                        .points = marks[i].isRight() ? check.points : 0,
                        .of = check.points,
                        .value = marks[i].value,
                        .tries = tries == answer->tries.end() ? 0 : tries->second,
                        .unlocked = answer->unlocked,
                        .note = noteOf(marks[i])});
    }
    return rows;
}

Table gradeTable(const std::vector<GradeRow>& rows)
{
    Table table{.columns = {{"student", "student", Align::left},
                            {"check", "check", Align::left},
                            {"points", "points"},
                            {"of", "of"},
                            {"value", "value"},
                            {"tries", "tries"},
                            {"unlocked", "unlocked", Align::left},
                            {"note", "note", Align::left}}};
    for (const GradeRow& row : rows) {
        table.rows.push_back(cellsOf(row));
    }
    return table;
}

} // namespace flopsmith
