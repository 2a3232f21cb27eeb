// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/table/table_text.h"
#include "core/report/escaping.h"
#include "core/report/math_text.h"
#include "core/report/report_text.h"

namespace flopsmith {
namespace {

constexpr const char* kPreamble = "\\documentclass[a4paper,10pt]{article}\n"
                                  "\\usepackage[T1]{fontenc}\n"
                                  "\\usepackage[utf8]{inputenc}\n"
                                  "\\usepackage{booktabs}\n"
                                  "\\usepackage{graphicx}\n"
                                  "\\setlength{\\textwidth}{170mm}\n"
                                  "\\setlength{\\oddsidemargin}{-5mm}\n"
                                  "\\setlength{\\textheight}{252mm}\n"
                                  "\\setlength{\\topmargin}{-24mm}\n"
                                  "\\setlength{\\parindent}{0pt}\n"
                                  "\\setlength{\\parskip}{0.4\\baselineskip}\n"
                                  "\\sloppy\n"
                                  "\\begin{document}\n";

std::string paragraph(const std::string& text)
{
    return text + "\\par\n";
}

// Lines may break anywhere in it, and "--" stays two hyphens.
std::string latexCode(const std::string& code)
{
    std::string text;
    for (const char c : code) {
        text += c == '-' ? "{-}" : latexWords(std::string(1, c));
        text += "\\allowbreak{}";
    }
    return text;
}

class LatexBlocks
{
public:
    LatexBlocks(const Report& report, const FigureSource& fileOf)
        : m_language(report.language)
        , m_fileOf(fileOf)
    {}

    std::string operator()(const ReportHeading& heading) const
    {
        return "\\section*{" + latexWords(heading.text) + "}\n";
    }

    std::string operator()(const ReportText& text) const
    {
        const std::string words = latexWords(text.text);
        return text.isSmall ? "{\\footnotesize " + paragraph(words) + "}\n" : paragraph(words);
    }

    // Not a float: a report's order is its own.
    std::string operator()(const Table& table) const
    {
        const std::string caption =
            table.caption.empty() ? "" : paragraph(latexWords(table.caption));
        return caption + "{\\footnotesize\n" + paragraph(latexTabular(table)) + "}\n";
    }

    std::string operator()(const ReportFigures& row) const
    {
        std::string text;
        const std::string width = row.figures.size() > 1 ? "0.48\\linewidth" : "\\linewidth";
        for (const ReportFigure& figure : row.figures) {
            text += "\\begin{minipage}[t]{" + width + "}\n\\includegraphics[width=\\linewidth]{"
                + m_fileOf(figure) + "}\n\n{\\footnotesize " + latexWords(figure.caption)
                + "}\n\\end{minipage}\\hfill\n";
        }
        return paragraph(text);
    }

    std::string operator()(const ReportFormula& formula) const
    {
        const std::string equals = formula.isRounded ? "$\\approx$ " : "$=$ ";
        const auto spell = [](const FormulaSymbol& symbol) { return "$" + symbol.latex + "$"; };
        const auto escape = [](const std::string& text) { return latexWords(text); };
        const std::string symbols = symbolWords(formula.symbols, m_language, spell, escape);
        return "{\\raggedright\n" + paragraph("\\textbf{" + latexWords(formula.of) + "}")
            + paragraph("$" + formula.latex + "$")
            + paragraph("$= " + mathLatex(formula.numbers) + "$")
            + paragraph(equals + "\\textbf{" + latexWords(formula.value) + "}")
            + (symbols.empty() ? "" : paragraph("{\\footnotesize " + symbols + "}")) + "}\n";
    }

    std::string operator()(const ReportOptions& options) const
    {
        std::string text;
        for (std::size_t i = 0; i < options.texts.size(); ++i) {
            text += "\\item[" + optionMark(i) + "] " + latexWords(options.texts[i]) + "\n";
        }
        return options.texts.empty() ? ""
                                     : "\\begin{description}\n" + text + "\\end{description}\n";
    }

    std::string operator()(const ReportAnswerBox& box) const
    {
        return paragraph("\\fbox{\\parbox[b][" + std::to_string(box.lines)
                         + "\\baselineskip][b]{0.97\\linewidth}{" + latexWords(box.text)
                         + "\\hfill " + latexWords(box.unit) + "}}");
    }

    std::string operator()(const ReportShareCode& share) const
    {
        return "{\\footnotesize " + paragraph(latexWords(share.hint))
            + "}\n{\\footnotesize\\ttfamily " + paragraph(latexCode(share.code)) + "}\n";
    }

    std::string operator()(const ReportPageBreak& /*here*/) const { return "\\newpage\n"; }

private:
    const std::string& m_language;
    const FigureSource& m_fileOf;
};

} // namespace

std::string latexReport(const Report& report, const FigureSource& fileOf)
{
    std::string text = kPreamble
        + paragraph("{\\LARGE\\bfseries " + latexWords(report.title) + "\\par}")
        + paragraph(latexWords(report.subtitle));
    const LatexBlocks blocks(report, fileOf);
    for (const ReportBlock& block : report.blocks) {
        text += std::visit(blocks, block);
    }
    return text + "\\vfill\n{\\footnotesize " + paragraph(latexWords(report.footer))
        + "}\n\\end{document}\n";
}

} // namespace flopsmith
