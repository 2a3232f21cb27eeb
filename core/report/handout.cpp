// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/handout.h"

#include "core/base/text.h"
#include "core/io/version.h"
#include "core/report/report_text.h"
#include "core/teach/lesson_text.h"
#include "core/teach/lesson_view.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace flopsmith {
namespace {

/// The handout's own words.
struct HandoutWords
{
    std::string_view language;
    std::string_view question;
    std::string_view answers;
    std::string_view minutes;
    std::string_view unanswered; ///< where a value is no figure but a design that holds
};

constexpr std::array<HandoutWords, 2> kHandoutWords{
    {{"en", "Question", "Answers", "minutes", "any design for which this holds"},
     {"de", "Frage", "Antworten", "Minuten", "jeder Entwurf, f\xC3\xBCr den dies gilt"}}};

const HandoutWords& wordsIn(const std::string& language)
{
    const auto* found =
        std::find_if(kHandoutWords.begin(), kHandoutWords.end(), [&](const HandoutWords& words) {
            return words.language == language;
        });
    return found == kHandoutWords.end() ? kHandoutWords.front() : *found;
}

// The pages of the window that are drawn from a scenario alone.
bool isDrawn(const std::string& page)
{
    static constexpr std::array<std::string_view, 4> kDrawn{
        "share", "scaling", "memory", "waterfall"};
    return std::find(kDrawn.begin(), kDrawn.end(), page) != kDrawn.end();
}

int linesFor(QuestionKind kind)
{
    switch (kind) {
    case QuestionKind::choice:
    case QuestionKind::number:
    case QuestionKind::order: return 2;
    case QuestionKind::sketch: return 12;
    case QuestionKind::build: return 5;
    }
    return 2;
}

class Handout
{
public:
    explicit Handout(const HandoutRequest& request)
        : m_lesson(request.lesson)
        , m_language(request.lesson.languageFor(request.language))
        , m_words(wordsIn(m_language))
        , m_answers(request.answers)
    {}

    Result<Report> report()
    {
        const Result<std::vector<StepViews>> views = viewsOf(m_lesson);
        if (!views) {
            return views.error();
        }
        if (views->empty()) {
            return Error{"the lesson has no steps"};
        }
        if (const Status done = addHead(views->front().before); !done) {
            return done.error();
        }
        for (std::size_t i = 0; i < m_lesson.steps.size(); ++i) {
            if (const Status done = addStep(i, views->at(i)); !done) {
                return Error{"step " + std::to_string(i + 1) + ": " + done.error().message};
            }
        }
        if (m_answers && !m_solutions.empty()) {
            m_report.blocks.emplace_back(ReportPageBreak{});
            head(std::string(m_words.answers));
            std::move(m_solutions.begin(), m_solutions.end(), std::back_inserter(m_report.blocks));
        }
        return std::move(m_report);
    }

private:
    void head(std::string text)
    {
        m_report.blocks.emplace_back(ReportHeading{.text = std::move(text)});
    }

    Result<std::string> textOf(const std::string& key, const LessonView& view) const
    {
        return textWithValues(m_lesson.text(m_language, key), view.context);
    }

    Status addHead(const LessonView& first)
    {
        const Result<std::string> title = textOf("title", first);
        const Result<std::string> summary = textOf("summary", first);
        if (!title || !summary) {
            return title ? summary.error() : title.error();
        }
        m_report.title = *title;
        m_report.subtitle = std::to_string(m_lesson.minutes) + " " + std::string(m_words.minutes);
        m_report.language = m_language;
        m_report.footer = *title + "; Flopsmith " + std::string(programVersion());
        m_report.blocks.emplace_back(ReportText{.text = *summary});
        return Done{};
    }

    Status addStep(std::size_t step, const StepViews& views)
    {
        const LessonStep& now = m_lesson.steps[step];
        const Ask* ask = now.ask();
        const Result<std::string> text =
            textOf(ask != nullptr ? ask->text : now.say()->text, views.before);
        if (!text) {
            return text.error();
        }
        if (ask != nullptr) {
            head(std::string(m_words.question) + " " + std::to_string(++m_questions));
        }
        m_report.blocks.emplace_back(ReportText{.text = *text});
        addFigure(step, views.before);
        return ask == nullptr ? Status(Done{}) : addQuestion(now, *ask, views);
    }

    // A figure stands once, where it first shows something else than the one before.
    void addFigure(std::size_t step, const LessonView& view)
    {
        const bool isNew =
            !m_drawn || m_drawn->page != view.page || m_drawn->context != view.context;
        if (!isDrawn(view.page) || !isNew) {
            return;
        }
        m_drawn = view;
        ReportFigures row;
        row.figures.push_back({.name = "step-" + std::to_string(step + 1) + "-" + view.page,
                               .chart = view.page,
                               .caption = reportWords(view.context.scenario.model.name) + ", "
                                   + std::string(lens(view.context.lens).title),
                               .scenario = view.context.scenario,
                               .lens = view.context.lens,
                               .pairs = view.context.pairs});
        m_report.blocks.emplace_back(std::move(row));
    }

    Status addQuestion(const LessonStep& now, const Ask& ask, const StepViews& views)
    {
        ReportOptions options;
        for (const std::string& key : ask.options) {
            const Result<std::string> option = textOf(key, views.before);
            if (!option) {
                return option.error();
            }
            options.texts.push_back(*option);
        }
        if (!options.texts.empty()) {
            m_report.blocks.emplace_back(options);
        }
        m_report.blocks.emplace_back(
            ReportAnswerBox{.lines = linesFor(ask.kind), .unit = ask.unit});
        return addSolution(now, ask, options.texts, views);
    }

    // A predicate may make sense for the designs that meet it alone, as the example does.
    static Result<Value> answerOf(const Ask& ask, const LessonView& view)
    {
        if (ask.kind != QuestionKind::build) {
            return evaluate(ask.answer.expression, view.context);
        }
        const Result<LessonView> example = viewAfter(view, ask.example);
        return example ? evaluate(ask.answer.expression, example->context)
                       : Result<Value>(example.error());
    }

    Status addSolution(const LessonStep& now,
                       const Ask& ask,
                       const std::vector<std::string>& options,
                       const StepViews& views)
    {
        const Result<Value> value = answerOf(ask, views.before);
        if (!value) {
            return value.error();
        }
        m_solutions.emplace_back(ReportText{.text = std::string(m_words.question) + " "
                                                + std::to_string(m_questions) + ": "
                                                + answerText(ask, *value, options)});
        m_solutions.emplace_back(ReportText{.text = ask.answer.expression, .isSmall = true});
        addFormula(views.after);
        if (now.why.empty()) {
            return Done{};
        }
        const Result<std::string> why = textOf(now.why, views.before);
        if (!why) {
            return why.error();
        }
        m_solutions.emplace_back(ReportText{.text = *why});
        return Done{};
    }

    // Of the part that the answer points at, if it has one under this lens.
    void addFormula(const LessonView& revealed)
    {
        constexpr std::size_t kLongest = 400; // characters: an aid, not the answer
        constexpr std::size_t kMostRunsSolved = 64; // of more, letters take too long
        const LessonContext& context = revealed.context;
        if (revealed.select.empty() || context.scenario.model.runs.size() > kMostRunsSolved) {
            return;
        }
        const Result<Formula> formula =
            formulaOf(context.scenario, revealed.select, context.lens, {}, context.pairs);
        if (!formula || std::max(formula->text.size(), formula->numbers.size()) > kLongest) {
            return;
        }
        m_solutions.emplace_back(ReportFormula{.of = formula->path,
                                               .letters = formula->text,
                                               .latex = formula->latex,
                                               .numbers = formula->numbers,
                                               .value = groupedDigits(formula->value) + " "
                                                   + std::string(lens(context.lens).unit),
                                               .isRounded = formula->nominal,
                                               .symbols = formula->symbols});
    }

    std::string answerText(const Ask& ask,
                           const Value& value,
                           const std::vector<std::string>& options) const
    {
        if (const auto* order = std::get_if<OptionOrder>(&value)) {
            std::string marks;
            for (const int option : order->options) {
                marks += (marks.empty() ? "" : ", ") + markOf(option);
            }
            return marks;
        }
        const auto* count = std::get_if<Count>(&value);
        if (ask.kind == QuestionKind::choice && count != nullptr && *count >= 1
            && *count <= static_cast<Count>(options.size())) {
            const auto chosen = static_cast<int>(*count);
            return markOf(chosen) + ", " + options[static_cast<std::size_t>(chosen - 1)];
        }
        if (ask.kind == QuestionKind::build) {
            return std::string(m_words.unanswered);
        }
        const Result<std::string> shown = formattedValue(value, "");
        const std::string text = shown ? *shown : goldenText(value);
        return ask.unit.empty() ? text : text + " " + ask.unit;
    }

    static std::string markOf(int option)
    {
        return optionMark(static_cast<std::size_t>(std::max(option, 1) - 1));
    }

    const Lesson& m_lesson;
    std::string m_language;
    const HandoutWords& m_words;
    bool m_answers;
    int m_questions = 0;
    std::optional<LessonView> m_drawn;
    Report m_report;
    std::vector<ReportBlock> m_solutions;
};

} // namespace

Result<Report> handoutOf(const HandoutRequest& request)
{
    return Handout(request).report();
}

} // namespace flopsmith
