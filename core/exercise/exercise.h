// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/io/project/project_file.h"
#include "core/teach/format/lesson.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// An exercise as its file has it; texts are keys of Exercise::texts.
namespace flopsmith {

/// The version of the format that this program writes.
inline constexpr int kExerciseFormat = 1;

/// A design: a preset with parameters, as lessons name them, or a whole project.
struct ExerciseDesign
{
    std::string preset{}; ///< empty: `project`
    std::vector<std::pair<std::string, std::string>> set{}; ///< parameters, in this order
    std::string lens{}; ///< of a preset; empty: matmul
    std::vector<ClassLock> classLocks{}; ///< of a preset
    std::optional<Project> project{};

    bool operator==(const ExerciseDesign&) const = default;
};

/// The design as a project. The Error names the preset, lens or parameter that cannot be.
Result<Project> projectOf(const ExerciseDesign& design);

/// Significant digits that are compared; 15 are exact in a double.
inline constexpr int kMaxAnswerDigits = 15;

/// A number that a person types. It is compared with the right number after both are rounded to
/// `digits` significant digits.
struct ExerciseNumber
{
    std::string unit{}; ///< as it is
    int digits = 3;
    double tolerance = 0.0; ///< relative: 0.01 also accepts a difference of 1 %
    /// Whether the expression is evaluated for the person's own design instead of the start.
    bool ofDesign = false;
    /// Without an expression if it was released. For the person's design, the golden is the
    /// solution's, and a release leaves it out.
    LessonAnswer answer{};
    std::vector<std::string> hashes{}; ///< released: of every number that is right

    bool operator==(const ExerciseNumber&) const = default;
};

/// One thing that is checked: a predicate over the design, or a number.
struct ExerciseCheck
{
    std::string id; ///< "smallest-cache"
    int points = 1;
    std::string text;
    std::string predicate{}; ///< an expression of core/teach; empty: `number`
    std::optional<ExerciseNumber> number{};
    std::string hint{}; ///< shown after `hintAfter` attempts; may be empty
    int hintAfter = 3;
    std::string wrong{}; ///< shown after a wrong attempt; may be empty

    bool operator==(const ExerciseCheck&) const = default;
};

struct Exercise
{
    std::string id; ///< "smallest-cache"
    std::map<std::string, LessonTexts> texts{}; ///< by language: "en", "de"
    std::string salt{}; ///< of the hashes of a release; may be empty
    ExerciseDesign start{};
    std::vector<ExerciseCheck> checks{};
    std::string question{}; ///< answered in words; may be empty
    std::optional<ExerciseDesign> solution{}; ///< reaches full points; not in a release

    bool operator==(const Exercise&) const = default;

    /// As Lesson has them.
    std::string languageFor(std::string_view wanted) const;
    const std::string& text(const std::string& language, const std::string& key) const;

    int points() const;
};

/// The version for students: without the solution, and with salted hashes instead of numbers that
/// are the same for all. The Error names a check whose golden is not a number.
Result<Exercise> released(const Exercise& exercise);

/// SHA-256 of the data that decide the marks: id, lens and checks without their texts. Equal for an
/// exercise and its release.
Result<std::string> exerciseDigest(const Exercise& exercise);

} // namespace flopsmith
