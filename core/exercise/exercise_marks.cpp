// SPDX-License-Identifier: MIT
#include "core/exercise/exercise_marks.h"

#include "core/base/text.h"
#include "core/exercise/rounded_number.h"

#include <algorithm>

namespace flopsmith {
namespace {

CheckMark unjudged(std::string value, const Error& error)
{
    return {CheckMark::State::wrong, std::move(value), error.message};
}

CheckMark::State stateOf(bool isRight)
{
    return isRight ? CheckMark::State::right : CheckMark::State::wrong;
}

} // namespace

Result<ExerciseMarker> ExerciseMarker::create(Exercise exercise, int trees)
{
    ExerciseMarker marker(std::move(exercise), trees);
    FLOPSMITH_RETURN_IF_ERROR(marker.prepare());
    return marker;
}

Status ExerciseMarker::prepare()
{
    Result<Project> start = projectOf(m_exercise.start);
    if (!start) {
        return Error{"start: " + start.error().message};
    }
    m_start = std::move(*start);
    FLOPSMITH_TRY(std::string digest, exerciseDigest(m_exercise));
    m_digest = std::move(digest);
    const Result<Exercise> release = released(m_exercise); // as the digest was made
    for (const ExerciseCheck& check : release->checks) {
        if (const Status prepared = prepareCheck(check); !prepared) {
            return Error{"check " + check.id + ": " + prepared.error().message};
        }
    }
    return Done{};
}

Status ExerciseMarker::prepareCheck(const ExerciseCheck& check)
{
    m_hashes.emplace_back();
    m_expressions.emplace_back();
    if (check.number && !check.number->hashes.empty()) {
        m_hashes.back().insert(check.number->hashes.begin(), check.number->hashes.end());
        return Done{};
    }
    FLOPSMITH_TRY(
        Expression expression,
        Expression::parsed(check.number ? check.number->answer.expression : check.predicate));
    m_expressions.back() = std::move(expression);
    return Done{};
}

LessonContext ExerciseMarker::contextOf(const Scenario& design) const
{
    return {.scenario = design, .lens = m_start.lens};
}

std::vector<CheckMark> ExerciseMarker::marks(const Scenario& design,
                                             const TypedNumbers& numbers) const
{
    const LessonContext context = contextOf(design);
    int trees = m_trees;
    std::vector<CheckMark> all;
    for (std::size_t i = 0; i < m_exercise.checks.size(); ++i) {
        all.push_back(mark(i, context, numbers, trees));
    }
    return all;
}

int ExerciseMarker::points(const std::vector<CheckMark>& marks) const
{
    int sum = 0;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        sum += marks[i].isRight() ? m_exercise.checks[i].points : 0;
    }
    return sum;
}

CheckMark ExerciseMarker::mark(std::size_t check,
                               const LessonContext& context,
                               const TypedNumbers& numbers,
                               int& trees) const
{
    if (context.scenario.model.runs.size() > kMaxLessonRuns) {
        return unjudged({}, {"the design has too many different blocks to be judged"});
    }
    const ExerciseCheck& asked = m_exercise.checks[check];
    if (!asked.number) {
        return predicateMark(*m_expressions[check], context, trees);
    }
    const auto typed = numbers.find(asked.id);
    return typed == numbers.end() ? CheckMark{} : numberMark(check, typed->second, context, trees);
}

CheckMark ExerciseMarker::predicateMark(const Expression& predicate,
                                        const LessonContext& context,
                                        int& trees) const
{
    const Result<Value> value = predicate.value(context, &trees);
    if (!value) {
        return unjudged({}, value.error());
    }
    const bool* meets = std::get_if<bool>(&*value);
    if (meets == nullptr) {
        return unjudged(goldenText(*value), {"the check is neither true nor false"});
    }
    return {stateOf(*meets), goldenText(*value), {}};
}

CheckMark ExerciseMarker::numberMark(std::size_t check,
                                     double typed,
                                     const LessonContext& context,
                                     int& trees) const
{
    const Result<bool> right = isRight(check, typed, context, trees);
    return right ? CheckMark{stateOf(*right), numberText(typed), {}}
                 : unjudged(numberText(typed), right.error());
}

Result<bool> ExerciseMarker::isRight(std::size_t check,
                                     double typed,
                                     const LessonContext& context,
                                     int& trees) const
{
    const ExerciseCheck& asked = m_exercise.checks[check];
    const std::string rounded = roundedText(typed, asked.number->digits);
    if (!m_expressions[check]) {
        return m_hashes[check].contains(saltedHash(m_exercise, asked, rounded));
    }
    FLOPSMITH_TRY(const Value value, m_expressions[check]->value(context, &trees));
    const auto number = numberIn(value);
    if (!number) {
        return Error{"the answer is no number"};
    }
    FLOPSMITH_TRY(const auto right,
                  rightNumbers(*number, asked.number->digits, asked.number->tolerance));
    return std::find(right.begin(), right.end(), rounded) != right.end();
}

} // namespace flopsmith
