// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/handout.h"

#include "core/io/project/version.h"
#include "core/report/frame_words.h"
#include "core/report/handout_answer.h"
#include "core/report/page_blocks.h"
#include "core/report/share_block.h"
#include "core/share/shared_page.h"
#include "core/teach/play/lesson_text.h"
#include "core/teach/play/lesson_view.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace flopsmith {
namespace {

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

// Whether the visible parts of both are the same.
bool looksAlike(const LessonView& a, const LessonView& b)
{
    return a.page == b.page && a.context == b.context && a.frozen == b.frozen && a.zoom == b.zoom;
}

void append(std::vector<ReportBlock>& blocks, std::vector<ReportBlock> more)
{
    std::move(more.begin(), more.end(), std::back_inserter(blocks));
}

class Handout
{
public:
    explicit Handout(const HandoutRequest& request)
        : m_request(request)
        , m_lesson(request.lesson)
        , m_language(request.lesson.languageFor(request.language))
        , m_words(frameWordsIn(m_language))
    {}

    Result<Report> report()
    {
        FLOPSMITH_TRY(const std::vector<StepViews> views, viewsOf(m_lesson));
        if (views.empty()) {
            return Error{"the lesson has no steps"};
        }
        FLOPSMITH_RETURN_IF_ERROR(addHead(views.front().before));
        for (std::size_t i = 0; i < m_lesson.steps.size(); ++i) {
            if (const Status done = addStep(i, views.at(i)); !done) {
                return Error{"step " + std::to_string(i + 1) + ": " + done.error().message};
            }
        }
        addAnswers();
        FLOPSMITH_RETURN_IF_ERROR(addStart());
        return std::move(m_report);
    }

private:
    bool hasAnswers() const { return m_request.answers != HandoutAnswers::none; }

    void head(std::string_view text)
    {
        m_report.blocks.emplace_back(ReportHeading{.text = std::string(text)});
    }

    Result<std::string> textOf(const std::string& key, const LessonView& view) const
    {
        return textWithValues(m_lesson.text(m_language, key), view.context, nullptr, m_language);
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
        FLOPSMITH_TRY(const std::string text,
                      textOf(ask != nullptr ? ask->text : now.say()->text, views.before));
        if (ask != nullptr) {
            head(std::string(m_words.question) + " " + std::to_string(++m_questions));
        }
        m_report.blocks.emplace_back(ReportText{.text = text});
        append(m_report.blocks, pageOf(step, views.before, PageCosts::hidden));
        FLOPSMITH_RETURN_IF_ERROR(addNotes(now, views.before));
        FLOPSMITH_RETURN_IF_ERROR(ask != nullptr ? addQuestion(step, *ask, views) : Status(Done{}));
        return addNumbers(step, views.before);
    }

    // A view equal to the last one on paper is not drawn again.
    std::vector<ReportBlock> pageOf(std::size_t step, const LessonView& view, PageCosts costs)
    {
        if (m_drawn && looksAlike(*m_drawn, view)) {
            return {};
        }
        m_drawn = view;
        std::string name = "step-" + std::to_string(step + 1) + "-" + view.page
            + (costs == PageCosts::shown ? "-answer" : "");
        std::replace(name.begin(), name.end(), '_', '-'); // "run_time"
        return pageBlocks(view, name, costs, m_language);
    }

    Status addNotes(const LessonStep& now, const LessonView& view)
    {
        if (!m_request.forTeacher || now.notes.empty()) {
            return Done{};
        }
        FLOPSMITH_TRY(const std::string notes, textOf(now.notes, view));
        m_report.blocks.emplace_back(
            ReportText{.text = std::string(m_words.notes) + ": " + notes, .isSmall = true});
        return Done{};
    }

    Status addQuestion(std::size_t step, const Ask& ask, const StepViews& views)
    {
        ReportOptions options;
        for (const std::string& key : ask.options) {
            FLOPSMITH_TRY(const std::string option, textOf(key, views.before));
            options.texts.push_back(option);
        }
        FLOPSMITH_TRY(const HandoutAnswer answer,
                      handoutAnswer(ask, options.texts, views.before, m_language));
        if (!options.texts.empty()) {
            m_report.blocks.emplace_back(std::move(options));
        }
        m_report.blocks.emplace_back(
            ReportAnswerBox{.lines = linesFor(ask.kind),
                            .unit = ask.unit,
                            .text = m_request.forTeacher ? answer.text : std::string()});
        return hasAnswers() ? addSolution(step, ask, answer, views) : Status(Done{});
    }

    Status addSolution(std::size_t step,
                       const Ask& ask,
                       const HandoutAnswer& answer,
                       const StepViews& views)
    {
        const bool inPlace = m_request.answers == HandoutAnswers::inPlace;
        std::vector<ReportBlock>& blocks = inPlace ? m_report.blocks : m_solutions;
        const std::string of = inPlace
            ? std::string(m_words.answer)
            : std::string(m_words.question) + " " + std::to_string(m_questions);
        const std::string unit = ask.unit.empty() ? std::string() : " " + ask.unit;
        blocks.emplace_back(ReportText{.text = of + ": " + answer.text + unit});
        blocks.emplace_back(ReportText{.text = answer.derivation, .isSmall = true});
        append(blocks, formulaBlocks(views.after.context, views.after.select, m_language));
        if (views.after.page != "formulas" && !looksAlike(views.before, views.after)) {
            const std::optional<LessonView> before = m_drawn;
            append(blocks, pageOf(step, views.after, PageCosts::shown));
            if (!inPlace) {
                m_drawn = before; // the next step follows this one, not the answers
            }
        }
        const std::string& key = m_lesson.steps[step].why;
        if (key.empty()) {
            return Done{};
        }
        FLOPSMITH_TRY(const std::string why, textOf(key, views.before));
        blocks.emplace_back(ReportText{.text = why});
        return Done{};
    }

    Status addNumbers(std::size_t step, const LessonView& view)
    {
        for (const LessonAnswer& golden : m_lesson.steps[step].goldens) {
            FLOPSMITH_TRY(const std::string line,
                          derivationText(golden.expression, view, m_language));
            m_numbers.emplace_back(ReportText{.text = std::string(m_words.step) + " "
                                                  + std::to_string(step + 1) + ": " + line,
                                              .isSmall = true});
        }
        return Done{};
    }

    void addAnswers()
    {
        if (!m_solutions.empty()) {
            m_report.blocks.emplace_back(ReportPageBreak{});
            head(m_words.answers);
            append(m_report.blocks, std::move(m_solutions));
        }
        if (hasAnswers() && !m_numbers.empty()) {
            head(m_words.numbers);
            append(m_report.blocks, std::move(m_numbers));
        }
    }

    Status addStart()
    {
        const Result<LessonView> start = startViewOf(m_lesson);
        if (!start) {
            return Error{"start: " + start.error().message};
        }
        const bool isShared = !pageOfView(start->page).empty();
        head(m_words.start);
        m_report.blocks.push_back(
            shareBlock({.scenario = start->context.scenario, .lens = start->context.lens},
                       isShared ? std::string_view(start->page) : std::string_view(),
                       m_language));
        return Done{};
    }

    const HandoutRequest& m_request;
    const Lesson& m_lesson;
    std::string m_language;
    const FrameWords& m_words;
    int m_questions = 0;
    std::optional<LessonView> m_drawn;
    Report m_report;
    std::vector<ReportBlock> m_solutions;
    std::vector<ReportBlock> m_numbers;
};

} // namespace

Result<Report> handoutOf(const HandoutRequest& request)
{
    return Handout(request).report();
}

} // namespace flopsmith
