// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/markdown.h"
#include "core/io/table/table_text.h"
#include "core/report/report_text.h"

namespace flopsmith {
namespace {

class MarkdownBlocks
{
public:
    MarkdownBlocks(const Report& report, const FigureSource& fileOf)
        : m_language(report.language)
        , m_fileOf(fileOf)
    {}

    std::string operator()(const ReportHeading& heading) const
    {
        return "## " + markdownWords(heading.text) + "\n\n";
    }

    std::string operator()(const ReportText& text) const
    {
        return markdownWords(text.text) + "\n\n";
    }

    std::string operator()(const Table& table) const { return markdownText(table) + "\n"; }

    std::string operator()(const ReportFigures& row) const
    {
        std::string text;
        for (const ReportFigure& figure : row.figures) {
            text += "![" + markdownWords(figure.caption) + "](" + m_fileOf(figure) + ")\n\n";
        }
        return text;
    }

    // As code: core/formula's text is ASCII without backquotes.
    std::string operator()(const ReportFormula& formula) const
    {
        const std::string equals = formula.isRounded ? "\xE2\x89\x88 " : "= ";
        const auto spell = [](const FormulaSymbol& symbol) { return "`" + symbol.name + "`"; };
        const auto escape = [](const std::string& text) { return markdownWords(text); };
        const std::string symbols = symbolWords(formula.symbols, m_language, spell, escape);
        return "**" + markdownWords(formula.of) + "**\n\n```\n" + formula.letters
            + "\n= " + formula.numbers + "\n" + equals + formula.value + "\n```\n\n"
            + (symbols.empty() ? "" : symbols + "\n\n");
    }

    std::string operator()(const ReportOptions& options) const
    {
        std::string text;
        for (std::size_t i = 0; i < options.texts.size(); ++i) {
            text += "* **" + optionMark(i) + "** " + markdownWords(options.texts[i]) + "\n";
        }
        return text + "\n";
    }

    std::string operator()(const ReportAnswerBox& box) const
    {
        if (!box.text.empty()) {
            return "> " + markdownWords(box.text)
                + (box.unit.empty() ? "" : " " + markdownWords(box.unit)) + "\n\n";
        }
        const std::string line = "\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_";
        return line + (box.unit.empty() ? "" : " " + markdownWords(box.unit)) + "\n\n";
    }

    // A code consists of letters of base64url and a point.
    std::string operator()(const ReportShareCode& share) const
    {
        return markdownWords(share.hint) + "\n\n```\n" + share.code + "\n```\n\n";
    }

    std::string operator()(const ReportPageBreak& /*here*/) const { return "---\n\n"; }

private:
    const std::string& m_language;
    const FigureSource& m_fileOf;
};

} // namespace

std::string markdownReport(const Report& report, const FigureSource& fileOf)
{
    std::string text =
        "# " + markdownWords(report.title) + "\n\n" + markdownWords(report.subtitle) + "\n\n";
    const MarkdownBlocks blocks(report, fileOf);
    for (const ReportBlock& block : report.blocks) {
        text += std::visit(blocks, block);
    }
    return text + "---\n\n" + markdownWords(report.footer) + "\n";
}

} // namespace flopsmith
