// SPDX-License-Identifier: MIT
#pragma once

#include "core/exercise/exercise_answer.h"
#include "core/exercise/exercise_marks.h"

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// A person's work on an exercise: the state of each check, its attempts, and the hints that
/// follow. Knows no widgets. A failed call changes nothing.
class ExercisePlay
{
public:
    ExercisePlay(ExerciseMarker marker, std::string_view language);

    const Exercise& exercise() const { return m_marker.exercise(); }

    /// The start design.
    const Project& start() const { return m_marker.start(); }

    const std::string& language() const { return m_language; }
    void setLanguage(std::string_view language);

    /// A text with the values of the start, or why one cannot be computed; empty for no key.
    std::string text(const std::string& key) const;

    /// Judges the design as it is now.
    void setDesign(const Scenario& design);

    /// A change of the design is finished: a try of every predicate that was not met before it.
    void countTry();

    /// Takes a number for a check; a different value counts as an attempt. An empty text removes it.
    Status enterNumber(const std::string& check, std::string_view typed);

    const std::vector<CheckMark>& marks() const { return m_marks; }
    const TypedNumbers& numbers() const { return m_numbers; }
    int tries(const std::string& check) const;
    int points() const { return m_marker.points(m_marks); }

    /// Whether the hint of a check is due, and whether its message for wrong attempts is shown.
    bool showsHint(std::size_t check) const;
    bool showsWrong(std::size_t check) const;

    /// The answer to hand in; times and flags are unknown here. Control characters, and texts too
    /// long for an answer's file, are left out.
    ExerciseAnswer answer(const Project& design,
                          std::string_view student,
                          std::string_view words) const;

    /// Continues a saved answer: its design, numbers and attempts. An Error if it belongs to
    /// another exercise.
    Status resume(const ExerciseAnswer& answer);

    /// Forgets numbers and tries, and begins with the start again.
    void restart();

private:
    bool isWrongAfterTry(std::size_t check) const;
    void addTry(const std::string& check);
    void forgetTries();

    ExerciseMarker m_marker;
    std::string m_language;
    Scenario m_design;
    TypedNumbers m_numbers{};
    std::map<std::string, int> m_tries{};
    std::vector<CheckMark> m_marks{};
    std::vector<bool> m_wereRight{}; ///< by check, after the last finished change
};

} // namespace flopsmith
