// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/markdown.h"
#include "core/base/text.h"
#include "core/report/escaping.h"
#include "core/report/handout.h"
#include "core/report/report_text.h"
#include "core/teach/format/installed_lessons.h"
#include "core/teach/format/lesson_reading.h"
#include "core/teach/play/lesson_text.h"
#include "core/teach/play/lesson_view.h"
#include "core/teach/play/localized_number.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace flopsmith {
namespace {

constexpr std::array<const char*, 2> kLanguages{"en", "de"};

std::vector<Lesson> allLessons()
{
    std::vector<Lesson> lessons;
    for (const InstalledText& each : installedLessons()) {
        lessons.push_back(readLesson(each.text, std::string(each.fileName)).value());
    }
    return lessons;
}

const std::string& nameOfFigure(const ReportFigure& figure)
{
    return figure.name;
}

Report handout(const Lesson& lesson, const char* language, bool forTeacher = false)
{
    const Result<Report> report =
        handoutOf({.lesson = lesson, .language = language, .forTeacher = forTeacher});
    EXPECT_TRUE(report.ok()) << lesson.id << ": " << (report ? "" : report.error().message);
    return report ? *report : Report{};
}

bool isWholeNumber(const std::string& text)
{
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

// As paper has a golden, from its text alone.
std::string printedGolden(const std::string& golden, const char* language)
{
    return isWholeNumber(golden)
        ? localizedDigits(std::strtoll(golden.c_str(), nullptr, 10), language)
        : localizedNumber(golden, language);
}

/// The Markdown and HTML of a handout, in which texts are looked up as each spells them.
class PrintedHandout
{
public:
    PrintedHandout(const Lesson& lesson, const char* language)
        : m_lesson(lesson)
        , m_language(language)
    {
        const Report report = handout(lesson, language);
        m_markdown = markdownReport(report, nameOfFigure);
        m_html = htmlReport(report, nameOfFigure);
    }

    void expectText(const std::string& text) const
    {
        EXPECT_NE(m_markdown.find(markdownWords(text)), std::string::npos)
            << m_lesson.id << " " << m_language << ": " << text;
        EXPECT_NE(m_html.find(htmlEscaped(text)), std::string::npos)
            << m_lesson.id << " " << m_language << ": " << text;
    }

    void expectGolden(const LessonAnswer& answer) const
    {
        expectText(answer.expression + " = " + printedGolden(answer.golden, m_language));
    }

    void expectTextOf(const std::string& key, const LessonView& view) const
    {
        expectText(textWithValues(m_lesson.text(m_language, key), view.context, nullptr, m_language)
                       .value());
    }

private:
    const Lesson& m_lesson;
    const char* m_language;
    std::string m_markdown;
    std::string m_html;
};

TEST(LessonHandouts, HaveEveryQuestionReasonAndGolden)
{
    for (const Lesson& lesson : allLessons()) {
        const std::vector<StepViews> views = viewsOf(lesson).value();
        for (const char* language : kLanguages) {
            const PrintedHandout printed(lesson, language);
            for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
                const LessonStep& step = lesson.steps[i];
                for (const LessonAnswer& golden : step.goldens) {
                    printed.expectGolden(golden);
                }
                if (const Ask* ask = step.ask()) {
                    printed.expectTextOf(ask->text, views[i].before);
                    printed.expectTextOf(step.why, views[i].before);
                    for (const std::string& option : ask->options) {
                        printed.expectTextOf(option, views[i].before);
                    }
                    if (ask->kind == QuestionKind::build) {
                        printed.expectText(ask->answer.expression);
                    } else {
                        printed.expectGolden(ask->answer);
                    }
                }
            }
        }
    }
}

TEST(LessonHandouts, HaveAFigureTableOrFormulaForThePagesOfTheirSteps)
{
    for (const Lesson& lesson : allLessons()) {
        const Report report = handout(lesson, "en");
        std::set<std::string> names;
        std::size_t shown = 0;
        for (const ReportBlock& block : report.blocks) {
            shown += std::holds_alternative<Table>(block) ? 1U : 0U;
        }
        for (const ReportFigure* figure : figuresOf(report)) {
            EXPECT_TRUE(names.insert(figure->name).second) << lesson.id << " " << figure->name;
        }
        EXPECT_GE(shown + names.size(), 2U) << lesson.id;
    }
}

TEST(LessonHandouts, InGermanHaveNoEnglishFrame)
{
    const std::set<std::string> known{"Antworten", "Zahlen", "Der Entwurf zum Anfangen"};
    for (const Lesson& lesson : allLessons()) {
        for (const bool forTeacher : {false, true}) {
            const std::string text =
                markdownReport(handout(lesson, "de", forTeacher), nameOfFigure);
            std::istringstream lines(text);
            for (std::string line; std::getline(lines, line);) {
                if (line.rfind("## ", 0) == 0) {
                    const std::string heading = line.substr(3);
                    EXPECT_TRUE(known.contains(heading) || heading.rfind("Frage ", 0) == 0)
                        << lesson.id << ": " << heading;
                }
            }
            for (const char* word : {"Question",
                                     "Answer",
                                     "minutes",
                                     "For the lecturer",
                                     "any design",
                                     "paste the code",
                                     "\nwith "}) {
                EXPECT_EQ(text.find(word), std::string::npos) << lesson.id << ": " << word;
            }
        }
    }
}

TEST(LessonHandouts, OfGpt2HasItsTotalInBothForms)
{
    for (const Lesson& lesson : allLessons()) {
        if (lesson.id == "where-flops-go") {
            PrintedHandout(lesson, "en").expectText("Together 291,648,307,200 FLOPs");
            PrintedHandout(lesson, "de").expectText("Zusammen 291.648.307.200 FLOPs");
        }
    }
}

TEST(LessonHandouts, HaveASpellingInLatexForEverySign)
{
    for (const Lesson& lesson : allLessons()) {
        for (const char* language : kLanguages) {
            const std::string text = latexReport(handout(lesson, language, true), nameOfFigure);
            const std::size_t number = text.find("U+");
            EXPECT_EQ(number, std::string::npos) << lesson.id << ", " << language << ": "
                                                 << text.substr(std::min(number, text.size()), 6);
        }
    }
}

TEST(LessonHandouts, WithoutAnswersTellNoneOfThem)
{
    for (const Lesson& lesson : allLessons()) {
        const Report report =
            handoutOf({.lesson = lesson, .answers = HandoutAnswers::none}).value();
        const std::string text = markdownReport(report, nameOfFigure);
        for (const LessonStep& step : lesson.steps) {
            if (const Ask* ask = step.ask()) {
                EXPECT_EQ(text.find(markdownWords(ask->answer.expression)), std::string::npos)
                    << lesson.id;
            }
        }
    }
}

} // namespace
} // namespace flopsmith
