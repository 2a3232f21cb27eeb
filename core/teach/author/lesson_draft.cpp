// SPDX-License-Identifier: MIT
#include "core/teach/author/lesson_editing.h"
#include "core/teach/format/lesson_reading.h"

#include <algorithm>
#include <set>

namespace flopsmith {
namespace {

// What a question lacks, as a sentence; empty if it is complete.
std::string lacking(const Ask& ask)
{
    const bool hasOptions = ask.kind == QuestionKind::choice || ask.kind == QuestionKind::order;
    if (hasOptions && ask.options.size() < 2) {
        return "a question of this kind has at least two options";
    }
    if (ask.kind == QuestionKind::number && ask.from >= ask.to) {
        return "the scale ends at a smaller number than it begins with";
    }
    if (ask.kind == QuestionKind::sketch) {
        if (ask.axis.parameter.empty()) {
            return "the axis of the sketch has no parameter";
        }
        if (ask.axis.from >= ask.axis.to) {
            return "the axis of the sketch ends at a smaller number than it begins with";
        }
        const auto isEmpty = [](const SketchCurve& curve) { return curve.expression.empty(); };
        if (ask.curves.empty() || std::any_of(ask.curves.begin(), ask.curves.end(), isEmpty)) {
            return "each curve of the sketch, and there is one at least, has an expression";
        }
    }
    if (ask.answer.expression.empty()) {
        return "the answer has no expression";
    }
    return ask.answer.golden.empty() ? "the answer has no golden: take its value" : "";
}

std::vector<LessonProblem> missingParts(const Lesson& lesson)
{
    std::vector<LessonProblem> problems;
    if (lesson.steps.empty()) {
        problems.push_back({.sentence = "the lesson has no steps"});
    }
    int number = 0;
    for (const LessonStep& step : lesson.steps) {
        ++number;
        const std::string sentence = step.ask() == nullptr ? std::string() : lacking(*step.ask());
        if (!sentence.empty()) {
            problems.push_back({.step = number, .sentence = sentence});
        }
    }
    return problems;
}

} // namespace

std::vector<LessonProblem> draftProblems(const Lesson& lesson,
                                         const ShownViews& views,
                                         const std::stop_token& stop)
{
    std::vector<LessonProblem> problems = missingParts(lesson);
    std::set<int> unfinished;
    for (const LessonProblem& problem : problems) {
        unfinished.insert(problem.step);
    }
    for (LessonProblem& problem : checkLesson(lesson, views, stop)) {
        if (problem.step == 0 || !unfinished.contains(problem.step)) {
            problems.push_back(std::move(problem));
        }
    }
    if (problems.empty()) {
        if (const Result<Lesson> read = readLesson(lessonJson(lesson), lesson.id); !read) {
            problems.push_back({.sentence = read.error().message});
        }
    }
    std::stable_sort(problems.begin(), problems.end(), [](const auto& a, const auto& b) {
        return a.step < b.step;
    });
    return problems;
}

} // namespace flopsmith
