// SPDX-License-Identifier: MIT
#include "core/exercise/exercise_check.h"

#include "core/base/printable.h"
#include "core/exercise/exercise_marks.h"
#include "core/exercise/rounded_number.h"
#include "core/teach/play/lesson_text.h"

#include <set>

namespace flopsmith {
namespace {

/// Collects all problems, so that they can be fixed together.
class ExerciseChecker
{
public:
    explicit ExerciseChecker(const Exercise& exercise)
        : m_exercise(exercise)
    {}

    std::vector<std::string> problems()
    {
        const Result<ExerciseMarker> marker = ExerciseMarker::create(m_exercise);
        if (!marker) {
            return {marker.error().message};
        }
        const LessonContext start = marker->contextOf(marker->start().scenario);
        for (const auto& language : m_exercise.texts) {
            checkTexts(language.first, start);
        }
        checkSolution(*marker, start);
        return m_problems;
    }

private:
    void add(std::string sentence) { m_problems.push_back(std::move(sentence)); }

    std::set<std::string> textKeys() const
    {
        std::set<std::string> keys{"title", "summary", "task", m_exercise.question};
        for (const ExerciseCheck& check : m_exercise.checks) {
            keys.insert({check.text, check.hint, check.wrong});
        }
        for (const auto& language : m_exercise.texts) { // every language must have the same keys
            for (const auto& text : language.second) {
                keys.insert(text.first);
            }
        }
        keys.erase("");
        return keys;
    }

    void checkTexts(const std::string& language, const LessonContext& start)
    {
        for (const std::string& key : textKeys()) {
            const std::string place = "text \"" + excerpt(key) + "\" (" + excerpt(language) + ")";
            const std::string& text = m_exercise.text(language, key);
            if (text.empty()) {
                add(place + ": missing");
            } else if (const auto whole = textWithValues(text, start, &m_trees); !whole) {
                add(place + ": " + whole.error().message);
            }
        }
    }

    void checkSolution(const ExerciseMarker& marker, const LessonContext& start)
    {
        if (!m_exercise.solution) {
            add("there is no solution, so nothing shows that full points can be reached");
            return;
        }
        const Result<Project> solution = projectOf(*m_exercise.solution);
        if (!solution) {
            add("solution: " + solution.error().message);
            return;
        }
        checkLocks(marker.start(), solution->scenario);
        const LessonContext solved = marker.contextOf(solution->scenario);
        TypedNumbers numbers;
        for (const ExerciseCheck& check : m_exercise.checks) {
            if (check.number) {
                checkGolden(check, check.number->ofDesign ? solved : start, numbers);
            }
        }
        if (m_problems.empty()) {
            checkMarks(marker, solution->scenario, numbers);
        }
    }

    // Students cannot unlock without it being seen, so the solution must do without.
    void checkLocks(const Project& start, const Scenario& solution)
    {
        std::vector<ClassLock> locks = start.classLocks;
        noteFixedValues(locks, start.scenario);
        if (const Status allowed = allowsEdit(locks, start.scenario, solution); !allowed) {
            add("the solution changes what the start locks: " + allowed.error().message);
        }
    }

    void checkGolden(const ExerciseCheck& check,
                     const LessonContext& context,
                     TypedNumbers& numbers)
    {
        const LessonAnswer& answer = check.number->answer;
        const std::string place = "check " + check.id + ": ";
        const Result<double> typed = typedNumber(answer.golden);
        if (answer.golden.empty() || !typed) {
            add(place
                + (answer.golden.empty() ? "the golden is missing, as in a release"
                                         : "golden: " + typed.error().message));
            return;
        }
        numbers[check.id] = *typed;
        const Result<Value> value = evaluate(answer.expression, context, &m_trees);
        if (!value) {
            add(place + excerpt(answer.expression) + ": " + value.error().message);
        } else if (const std::string found = goldenText(*value); found != answer.golden) {
            add(place + excerpt(answer.expression) + " is " + excerpt(found) + ", not "
                + excerpt(answer.golden) + " as its golden says");
        }
    }

    void checkMarks(const ExerciseMarker& marker,
                    const Scenario& solution,
                    const TypedNumbers& numbers)
    {
        const std::vector<CheckMark> marks = marker.marks(solution, numbers);
        for (std::size_t i = 0; i < marks.size(); ++i) {
            if (!marks[i].isRight()) {
                add("check " + m_exercise.checks[i].id + ": the solution does not meet it"
                    + (marks[i].problem.empty() ? "" : ", because " + marks[i].problem));
            }
        }
        const int before = marker.points(marker.marks(marker.start().scenario, {}));
        if (m_exercise.points() > 0 && before == m_exercise.points()) {
            add("the start has full points already");
        }
    }

    const Exercise& m_exercise;
    int m_trees = 100'000; ///< cost trees that the check may still compute
    std::vector<std::string> m_problems;
};

} // namespace

std::vector<std::string> checkExercise(const Exercise& exercise)
{
    return ExerciseChecker(exercise).problems();
}

} // namespace flopsmith
