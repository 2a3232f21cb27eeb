// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/exercise/exercise.h"
#include "core/teach/expression/expression.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace flopsmith {

/// The cost trees that all checks of an exercise compute together at most.
inline constexpr int kMaxTreesPerMarking = 2'000;

/// The state of a check.
struct CheckMark
{
    enum class State {
        open, ///< a number that has not been typed yet
        wrong,
        right,
    };

    State state = State::open;
    std::string value{}; ///< the number as it was typed, or "true" or "false"
    std::string problem{}; ///< why a check cannot be judged; it is then wrong

    bool isRight() const { return state == State::right; }
    bool operator==(const CheckMark&) const = default;
};

/// Typed numbers by the ids of their checks.
using TypedNumbers = std::map<std::string, double>;

/// Judges designs and numbers by an exercise, as its author has it or released.
class ExerciseMarker
{
public:
    /// Computes at most `trees` cost trees for all checks together. The Error names the check whose
    /// expression or number is invalid, or says what is wrong with the start.
    static Result<ExerciseMarker> create(Exercise exercise, int trees = kMaxTreesPerMarking);

    const Exercise& exercise() const { return m_exercise; }
    const Project& start() const { return m_start; }
    const std::string& digest() const { return m_digest; }

    /// The context of expressions for a design, with the start's lens.
    LessonContext contextOf(const Scenario& design) const;

    /// One for each check, in their order. Every check is judged independently.
    std::vector<CheckMark> marks(const Scenario& design, const TypedNumbers& numbers) const;

    /// The sum of the points of the right checks.
    int points(const std::vector<CheckMark>& marks) const;

private:
    ExerciseMarker(Exercise exercise, int trees)
        : m_exercise(std::move(exercise))
        , m_trees(trees)
    {}

    Status prepare();
    Status prepareCheck(const ExerciseCheck& check);
    CheckMark mark(std::size_t check,
                   const LessonContext& context,
                   const TypedNumbers& numbers,
                   int& trees) const;
    CheckMark predicateMark(const Expression& predicate,
                            const LessonContext& context,
                            int& trees) const;
    CheckMark numberMark(std::size_t check,
                         double typed,
                         const LessonContext& context,
                         int& trees) const;
    Result<bool> isRight(std::size_t check,
                         double typed,
                         const LessonContext& context,
                         int& trees) const;

    Exercise m_exercise;
    int m_trees;
    Project m_start{};
    std::string m_digest{};
    /// By check: the predicate, or the expression that a number of the design is compared with.
    std::vector<std::optional<Expression>> m_expressions{};
    /// By check: salted hashes of right numbers that are the same for all.
    std::vector<std::set<std::string>> m_hashes{};
};

} // namespace flopsmith
