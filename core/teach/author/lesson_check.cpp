// SPDX-License-Identifier: MIT
#include "core/teach/author/lesson_check.h"

#include "core/base/printable.h"
#include "core/teach/expression/expression.h"
#include "core/teach/play/lesson_play.h"
#include "core/teach/play/lesson_text.h"

#include <set>

namespace flopsmith {
namespace {

/// Collects all problems, so that they can be fixed together.
class LessonChecker
{
public:
    LessonChecker(const Lesson& lesson, const ShownViews& views, const std::stop_token& stop)
        : m_lesson(lesson)
        , m_views(views)
        , m_stop(stop)
    {}

    std::vector<LessonProblem> problems()
    {
        if (m_views.problem) {
            add(m_views.problemStep(), m_views.problem->message);
            return m_problems;
        }
        for (const auto& language : m_lesson.texts) {
            checkHeadings(language.first, m_views.steps);
        }
        for (std::size_t i = 0; i < m_lesson.steps.size() && m_trees > 0; ++i) {
            if (m_stop.stop_requested()) {
                return m_problems;
            }
            checkStep(static_cast<int>(i) + 1, m_lesson.steps[i], m_views.steps[i].before);
        }
        checkSameKeys();
        if (m_trees <= 0) {
            add(0, "the lesson computes too much to be checked");
        }
        return m_problems;
    }

private:
    void add(int step, std::string sentence, std::string language = {})
    {
        m_problems.push_back({step, std::move(language), std::move(sentence)});
    }

    // Their values are computed for the first step.
    void checkHeadings(const std::string& language, const std::vector<StepViews>& views)
    {
        for (const char* key : {"title", "summary"}) {
            if (!views.empty()) {
                checkText(0, language, key, views.front().before.context);
            } else if (m_lesson.text(language, key).empty()) {
                add(0, std::string("the text \"") + key + "\" is missing", language);
            }
        }
    }

    // Also unused texts: every language must have the same keys.
    void checkSameKeys()
    {
        std::set<std::string> keys;
        for (const auto& language : m_lesson.texts) {
            for (const auto& text : language.second) {
                keys.insert(text.first);
            }
        }
        for (const auto& language : m_lesson.texts) {
            for (const std::string& key : keys) {
                if (!language.second.contains(key) && !m_missing.contains({language.first, key})) {
                    add(0, "the text \"" + excerpt(key) + "\" is missing", language.first);
                }
            }
        }
    }

    void checkStep(int number, const LessonStep& step, const LessonView& view)
    {
        checkTexts(number, step, view.context);
        for (const LessonAnswer& golden : step.goldens) {
            checkAnswer(number, golden, view.context);
        }
        if (const Ask* ask = step.ask(); ask != nullptr && !m_stop.stop_requested()) {
            checkQuestion(number, *ask, view);
        }
    }

    void checkTexts(int number, const LessonStep& step, const LessonContext& context)
    {
        for (const auto& language : m_lesson.texts) {
            for (const std::string& key : textKeys(step)) {
                checkText(number, language.first, key, context);
            }
        }
    }

    void checkText(int number,
                   const std::string& language,
                   const std::string& key,
                   const LessonContext& context)
    {
        const std::string& text = m_lesson.text(language, key);
        if (text.empty()) {
            m_missing.insert({language, key});
            add(number, "the text \"" + excerpt(key) + "\" is missing", language);
            return;
        }
        if (const auto whole = textWithValues(text, context, &m_trees); !whole) {
            add(number, "text \"" + excerpt(key) + "\": " + whole.error().message, language);
        }
    }

    /// The value if it equals its golden.
    std::optional<Value> checkAnswer(int number,
                                     const LessonAnswer& answer,
                                     const LessonContext& context)
    {
        const Result<Value> value = evaluate(answer.expression, context, &m_trees);
        if (!value) {
            add(number, excerpt(answer.expression) + ": " + value.error().message);
            return std::nullopt;
        }
        if (const std::string found = goldenText(*value); found != answer.golden) {
            add(number,
                excerpt(answer.expression) + " is " + excerpt(found) + ", not "
                    + excerpt(answer.golden) + " as its golden says");
            return std::nullopt;
        }
        return *value;
    }

    void checkQuestion(int number, const Ask& ask, const LessonView& view)
    {
        // The upper limit for curves and scores, in addition to the answer.
        m_trees -= kMaxTreesPerExpression * (1 + 2 * static_cast<int>(ask.curves.size()));
        if (ask.kind == QuestionKind::build) {
            checkBuild(number, ask, view);
            return;
        }
        const std::optional<Value> answer = checkAnswer(number, ask.answer, view.context);
        if (!answer) {
            return;
        }
        const Result<Prediction> right = rightPrediction(ask, *answer, view.context);
        if (!right) {
            add(number, right.error().message);
            return;
        }
        expectRight(number, ask, *right, view.context);
        if (ask.kind == QuestionKind::number) {
            checkScale(number, ask, std::get<double>(*right));
        }
    }

    void expectRight(int number,
                     const Ask& ask,
                     const Prediction& prediction,
                     const LessonContext& context)
    {
        const Result<PredictionScore> score = scoreOf(ask, prediction, context);
        if (!score) {
            add(number, score.error().message);
        } else if (!score->isRight) {
            add(number, "whoever predicts the answer is told that it is wrong");
        }
    }

    void checkScale(int number, const Ask& ask, double answer)
    {
        if (answer < ask.from || answer > ask.to) {
            add(number, "the answer lies outside of the scale from \"from\" to \"to\"");
        }
    }

    static Result<Prediction> rightPrediction(const Ask& ask,
                                              const Value& answer,
                                              const LessonContext& context)
    {
        if (ask.kind == QuestionKind::sketch) {
            auto curves = trueCurves(ask, context);
            return curves ? Result<Prediction>(DrawnCurves{std::move(*curves)}) : curves.error();
        }
        if (ask.kind == QuestionKind::order) {
            const auto* order = std::get_if<OptionOrder>(&answer);
            return order != nullptr ? Result<Prediction>(*order)
                                    : Error{"the answer of an order question is order(…)"};
        }
        const auto number = numberIn(answer);
        if (!number) {
            return Error{"the answer is no number"};
        }
        if (ask.kind == QuestionKind::number) {
            return Prediction(*number);
        }
        constexpr double kMaxOption = 1'000.0;
        const bool isOption = *number >= 1.0 && *number <= kMaxOption;
        return isOption ? Result<Prediction>(ChosenOption{static_cast<int>(*number)})
                        : Error{"the answer of a choice is the number of an option"};
    }

    void checkBuild(int number, const Ask& ask, const LessonView& view)
    {
        const Result<LessonView> example = viewAfter(view, ask.example);
        if (!example) {
            add(number, "example: " + example.error().message);
            return;
        }
        if (!checkAnswer(number, ask.answer, example->context)) {
            return;
        }
        expectRight(number, ask, example->context.scenario, view.context);
        const Result<Value> before = evaluate(ask.answer.expression, view.context);
        if (before && *before == Value(true)) {
            add(number, "the design that is shown meets the predicate already");
        }
    }

    const Lesson& m_lesson;
    const ShownViews& m_views;
    const std::stop_token& m_stop;
    int m_trees = 400'000; ///< cost trees that the check may still compute
    std::vector<LessonProblem> m_problems;
    std::set<std::pair<std::string, std::string>> m_missing;
};

} // namespace

std::string LessonProblem::text() const
{
    std::string place = step > 0 ? "step " + std::to_string(step) : std::string();
    if (!language.empty()) {
        place += (place.empty() ? "" : " ") + ("(" + excerpt(language) + ")");
    }
    return place.empty() ? sentence : place + ": " + sentence;
}

std::vector<LessonProblem> checkLesson(const Lesson& lesson, const std::stop_token& stop)
{
    return checkLesson(lesson, shownViews(lesson), stop);
}

std::vector<LessonProblem> checkLesson(const Lesson& lesson,
                                       const ShownViews& views,
                                       const std::stop_token& stop)
{
    return LessonChecker(lesson, views, stop).problems();
}

} // namespace flopsmith
