// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/presets.h"
#include "core/report/design_report.h"
#include "core/report/handout.h"
#include "core/report/report_text.h"
#include "core/teach/format/installed_lessons.h"
#include "core/teach/format/lesson_reading.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace flopsmith {
namespace {

bool isCommandLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Reads LaTeX as far as its structure goes: groups, mathematics and environments close in order,
/// and its signs stand where they mean something.
class LatexStructure
{
public:
    explicit LatexStructure(const std::string& text)
        : m_text(text)
    {
        while (m_at < m_text.size()) {
            take();
        }
        expect(m_open.empty(), "something is open at the end");
    }

    const std::string& problem() const { return m_problem; }

private:
    void expect(bool holds, const std::string& problem)
    {
        if (!holds && m_problem.empty()) {
            m_problem = problem + " at: " + m_text.substr(m_at, 80);
        }
    }

    bool isIn(const std::string& what) const { return !m_open.empty() && m_open.back() == what; }

    bool isInMath() const
    {
        for (const std::string& each : m_open) {
            if (each == "$") {
                return true;
            }
        }
        return false;
    }

    void close(const std::string& what)
    {
        expect(isIn(what), "closes " + what + ", which is not the innermost");
        if (isIn(what)) {
            m_open.pop_back();
        }
    }

    void take()
    {
        const char c = m_text[m_at];
        switch (c) {
        case '\\': takeCommand(); return;
        case '{': m_open.emplace_back("{"); break;
        case '}': close("{"); break;
        case '$':
            if (isIn("$")) {
                m_open.pop_back();
            } else {
                expect(!isInMath(), "mathematics in mathematics");
                m_open.emplace_back("$");
            }
            break;
        case '^':
        case '_': expect(isInMath(), "a sign of mathematics outside of it"); break;
        case '&': expect(isIn("tabular"), "& outside of a table"); break;
        case '#':
        case '%': expect(false, "an unescaped sign"); break;
        default: break;
        }
        ++m_at;
    }

    void takeCommand()
    {
        std::size_t end = m_at + 1;
        while (end < m_text.size() && isCommandLetter(m_text[end])) {
            ++end;
        }
        const std::string command = m_text.substr(m_at + 1, end - m_at - 1);
        if (command == "begin" || command == "end") {
            const std::size_t close_brace = m_text.find('}', end);
            const std::string name = m_text.substr(end + 1, close_brace - end - 1);
            if (command == "begin") {
                m_open.push_back(name);
            } else {
                close(name);
            }
            m_at = close_brace == std::string::npos ? m_text.size() : close_brace + 1;
            return;
        }
        expect(command != "par" || !isInMath(), "a paragraph ends in mathematics");
        expect(command != "input" && command != "write", "a command of a stranger");
        m_at = command.empty() ? end + 1 : end; // "\%" is one sign
    }

    const std::string& m_text;
    std::size_t m_at = 0;
    std::vector<std::string> m_open;
    std::string m_problem;
};

std::string latexProblem(const Report& report)
{
    const std::string text =
        latexReport(report, [](const ReportFigure& figure) { return "f/" + figure.name; });
    return LatexStructure(text).problem();
}

std::string hostileText(int kind)
{
    switch (kind) {
    case 0: return "\\end{document}\\input{/etc/passwd}";
    case 1: return "}}} {{{ $ $$ $";
    case 2: return "50% #1 a_b^c & d ~ \\\\ \\";
    case 3: return "\\begin{verbatim} \\verb|x| `'\"<>";
    case 4: return "line\n\nline \xC3\xBC \xE4\xB8\xAD \xFF";
    default: return std::string(5'000, '\\');
    }
}

// The same text in every place of a document that a stranger may fill.
Report hostileReport(const std::string& evil)
{
    Report report{.title = evil, .subtitle = evil, .footer = evil};
    report.blocks.emplace_back(ReportHeading{.text = evil});
    report.blocks.emplace_back(ReportText{.text = evil});
    report.blocks.emplace_back(ReportText{.text = evil, .isSmall = true});
    report.blocks.emplace_back(Table{.caption = evil,
                                     .columns = {{"a", evil, Align::left}, {"b", evil}},
                                     .rows = {{Cell::text(evil), Cell::text(evil)}}});
    report.blocks.emplace_back(
        ReportFigures{.figures = {{.name = "a", .chart = "share", .caption = evil},
                                  {.name = "b", .chart = "share", .caption = evil}}});
    report.blocks.emplace_back(ReportFormula{.of = evil,
                                             .letters = "d^2",
                                             .latex = "d^{2}",
                                             .numbers = "768^2",
                                             .value = evil,
                                             .symbols = {{"d", "d", evil, 768, evil}}});
    report.blocks.emplace_back(ReportOptions{.texts = {evil, evil}});
    report.blocks.emplace_back(ReportAnswerBox{.unit = evil, .text = evil});
    report.blocks.emplace_back(ReportShareCode{.code = "FS1.a_b--c", .hint = evil});
    report.blocks.emplace_back(ReportPageBreak{});
    return report;
}

TEST(LatexStructure, SeesWhatIsWrong)
{
    EXPECT_EQ(LatexStructure("\\begin{a}{x $y_1$ \\% \\{}\\end{a}").problem(), "");
    for (const char* wrong : {"{",
                              "}",
                              "$x",
                              "a_b",
                              "50%",
                              "#",
                              "a & b",
                              "\\begin{a}{\\end{a}}",
                              "\\begin{a}",
                              "\\end{a}",
                              "{$}",
                              "$x\\par$",
                              "\\input{x}"}) {
        EXPECT_NE(LatexStructure(wrong).problem(), "") << wrong;
    }
}

TEST(LatexStructure, OfADesignsReportIsWhole)
{
    for (const char* preset : {"gpt2", "llama-3-8b", "t5-small", "mixtral-8x7b"}) {
        for (const LensId lens : {LensId::exact, LensId::matmul, LensId::megatron}) {
            const Report report = reportOf(
                {.scenario = {.model = *presetNamed(preset), .workload = {.sequence = 1024}},
                 .lens = lens});
            EXPECT_EQ(latexProblem(report), "") << preset;
        }
    }
}

TEST(LatexStructure, OfEveryHandoutIsWhole)
{
    for (const InstalledText& each : installedLessons()) {
        const Lesson lesson = readLesson(each.text, std::string(each.fileName)).value();
        for (const char* language : {"en", "de"}) {
            for (const bool forTeacher : {false, true}) {
                const Report report = handoutOf({.lesson = lesson,
                                                 .language = language,
                                                 .answers = HandoutAnswers::inPlace,
                                                 .forTeacher = forTeacher})
                                          .value();
                EXPECT_EQ(latexProblem(report), "") << each.fileName << " " << language;
            }
        }
    }
}

TEST(LatexStructure, OfHostileTextsIsWhole)
{
    for (int kind = 0; kind <= 5; ++kind) {
        EXPECT_EQ(latexProblem(hostileReport(hostileText(kind))), "") << kind;
    }
}

} // namespace
} // namespace flopsmith
