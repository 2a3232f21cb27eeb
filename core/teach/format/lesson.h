// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// A lesson as its file has it; texts are keys of Lesson::texts.
namespace flopsmith {

/// The version of the format that this program writes.
inline constexpr int kLessonFormat = 1;

/// The maximum number of parameters that one change of the view sets.
inline constexpr std::size_t kMaxLessonSettings = 20;

/// Limits of a file: steps, languages, bytes of a text, options of a choice and of an order, curves
/// of a sketch.
inline constexpr std::size_t kMaxLessonSteps = 100;
inline constexpr std::size_t kMaxLessonLanguages = 20;
inline constexpr std::size_t kMaxLessonText = 4'000;
inline constexpr std::size_t kMaxLessonChoices = 5;
inline constexpr std::size_t kMaxLessonOrdered = 8;
inline constexpr std::size_t kMaxLessonCurves = 4;

/// Arms of a lab that a step leads to at most.
inline constexpr std::size_t kMaxLessonArms = 8;

/// Whether the text is a language's name in a lesson: "en", "de".
bool isLessonLanguage(std::string_view language);

/// Whether the text can be a lesson's id: small letters, digits and dashes.
bool isLessonId(std::string_view id);

/// A step's view, as a change of the previous one.
struct Shown
{
    std::optional<std::string> page{}; ///< an id of lessonPages()
    std::optional<std::string> select{}; ///< path of the cost tree: "blocks/ffn"; empty: none
    std::optional<std::string> zoom{}; ///< "model", "selection" or "inside"
    std::optional<std::string> model{}; ///< id of a preset that replaces the design
    std::optional<std::string> lens{};
    std::vector<std::pair<std::string, std::string>> set{}; ///< parameters, in this order
    bool freeze = false; ///< keeps the design of before as a ghost

    bool operator==(const Shown&) const = default;
};

/// An expression and the exact text of its value.
struct LessonAnswer
{
    std::string expression;
    std::string golden;

    bool operator==(const LessonAnswer&) const = default;
};

enum class QuestionKind {
    choice, ///< one of several options; the answer is its number, counted from 1
    number, ///< on a logarithmic scale; right within a factor
    order, ///< of the options; the answer lists their numbers
    sketch, ///< curves over a parameter, both axes logarithmic
    build, ///< a design for which the answer's expression is true
};

template <>
std::vector<std::string_view> enumNames<QuestionKind>();

/// The parameter along the horizontal axis of a sketch.
struct SketchAxis
{
    std::string parameter;
    double from = 1.0;
    double to = 1.0;

    bool operator==(const SketchAxis&) const = default;
};

struct SketchCurve
{
    std::string label; ///< key of a text
    std::string expression;

    bool operator==(const SketchCurve&) const = default;
};

/// A step that explains.
struct Say
{
    std::string text;

    bool operator==(const Say&) const = default;
};

/// A step with a question.
struct Ask
{
    QuestionKind kind = QuestionKind::choice;
    std::string text;
    LessonAnswer answer{};
    std::vector<std::string> options{}; ///< of choice and order: keys of texts
    std::string unit{}; ///< of number: as it is
    double from = 1.0; ///< of number: the ends of the scale
    double to = 1.0;
    double factor = 2.0; ///< of number: right if not further off than this
    SketchAxis axis{}; ///< of sketch
    std::vector<SketchCurve> curves{}; ///< of sketch
    Shown example{}; ///< of a build: a design that meets the predicate; changes the step's view

    bool operator==(const Ask&) const = default;
};

/// A lab that a step leads to: FFNs that learn a task side by side. The names are those of
/// `flopsmith lab run`, which checks them.
struct LessonLab
{
    std::string task; ///< "facts"
    std::vector<std::string> arms; ///< "dense", "ultra"

    bool operator==(const LessonLab&) const = default;
};

struct LessonStep
{
    std::variant<Say, Ask> content{};
    std::string notes{}; ///< for the lecturer; may be empty
    Shown show{};
    Shown reveal{}; ///< of a question, after the prediction
    std::string why{}; ///< for a question, after the reveal; may be empty
    /// Values of expressions that texts of the step insert, to be checked.
    std::vector<LessonAnswer> goldens{};
    std::optional<LessonLab> lab{}; ///< of a question, after the reveal

    bool operator==(const LessonStep&) const = default;

    const Say* say() const { return std::get_if<Say>(&content); }
    const Ask* ask() const { return std::get_if<Ask>(&content); }
};

/// The keys of all texts of a step, except empty ones.
std::vector<std::string> textKeys(const LessonStep& step);

using LessonTexts = std::map<std::string, std::string>;

/// The language if there are texts in it (for "de_CH" also "de"), else "en", else the first one.
std::string nearestLanguage(const std::map<std::string, LessonTexts>& texts,
                            std::string_view wanted);

/// The text with its braces; empty if it does not exist.
const std::string& textIn(const std::map<std::string, LessonTexts>& texts,
                          const std::string& language,
                          const std::string& key);

struct Lesson
{
    std::string id; ///< "where-flops-go"
    int minutes = 0;
    std::map<std::string, LessonTexts> texts{}; ///< by language: "en", "de"
    Shown start{};
    std::vector<LessonStep> steps{};

    bool operator==(const Lesson&) const = default;

    /// See nearestLanguage() and textIn().
    std::string languageFor(std::string_view wanted) const;
    const std::string& text(const std::string& language, const std::string& key) const;
};

/// The places of the window that a step can show.
enum class LessonPageKind {
    stack,
    inside,
    share,
    scaling,
    runTime,
    memory,
    roofline,
    mislead,
    waterfall,
    designSpace,
    compare,
    formulas,
    tables,
    folklore,
    claims
};

/// A place of the window with its names.
struct LessonPage
{
    LessonPageKind kind;
    std::string_view id; ///< in files
    std::string_view title;
};

/// All of them.
const std::vector<LessonPage>& lessonPages();
std::optional<LessonPageKind> lessonPageNamed(std::string_view id);
bool isLessonPage(std::string_view id);

} // namespace flopsmith
