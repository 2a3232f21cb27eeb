// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/table/table_parts.h"
#include "core/report/escaping.h"
#include "core/report/math_text.h"
#include "core/report/report_text.h"
#include "core/share/qr_code.h"
#include "core/share/share_code.h"

namespace flopsmith {
namespace {

constexpr const char* kStyle =
    "body{font:15px/1.5 sans-serif;color:#1d2530;max-width:50rem;margin:2rem auto;padding:0 1rem}"
    "h1{font-size:1.7em;margin:0}h2{font-size:1.15em;margin:1.4em 0 .4em}"
    ".subtitle,.small,figcaption,footer{color:#566273;font-size:.85em}"
    "table{border-collapse:collapse;font-size:.9em;font-variant-numeric:tabular-nums}"
    "th,td{padding:.15em .8em .15em 0;text-align:right}th{border-bottom:1px solid}"
    ".left{text-align:left}tr:last-child td{border-bottom:1px solid}"
    ".figures{display:flex;flex-wrap:wrap;gap:1rem}figure{flex:1 1 20rem;margin:.6em 0}"
    "figure svg{width:100%;height:auto}.formula{margin:.6em 0;overflow-wrap:anywhere}"
    ".formula p{margin:0}.answer{border:1px solid;min-height:5em;margin:.6em 0;position:relative}"
    ".answer span{position:absolute;right:.5em;bottom:.3em}ol{list-style:upper-alpha}"
    ".share{display:flex;gap:1rem;align-items:center}.share svg{flex:none;width:34mm;height:34mm}"
    ".share code{overflow-wrap:anywhere}"
    "@page{size:A4;margin:15mm}@media print{body{max-width:none;margin:0;padding:0;font-size:12px}"
    ".break{break-before:page}figure,.formula,tr{break-inside:avoid}h2{break-after:avoid}}";

std::string element(const std::string& tag, const std::string& content)
{
    return "<" + tag + ">" + content + "</" + tag.substr(0, tag.find(' ')) + ">\n";
}

/// Writes the blocks of a report one after another.
class HtmlBlocks
{
public:
    HtmlBlocks(const Report& report, const FigureSource& svgOf)
        : m_language(report.language)
        , m_svgOf(svgOf)
    {}

    std::string operator()(const ReportHeading& heading) const
    {
        return element("h2", htmlEscaped(heading.text));
    }

    std::string operator()(const ReportText& text) const
    {
        return element(text.isSmall ? "p class=\"small\"" : "p", htmlEscaped(text.text));
    }

    std::string operator()(const Table& table) const
    {
        std::string rows;
        std::string cells;
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            cells += cell("th", table.columns[i], htmlEscaped(table.columns[i].title));
        }
        rows += element("tr", cells);
        for (const std::vector<Cell>& row : table.rows) {
            cells.clear();
            for (std::size_t i = 0; i < row.size(); ++i) {
                cells += cell("td",
                              table.columns.at(i),
                              indentOf(row[i], "&emsp;") + htmlEscaped(row[i].shown));
            }
            rows += element("tr", cells);
        }
        const std::string caption =
            table.caption.empty() ? "" : element("caption", htmlEscaped(table.caption));
        return element("table", "\n" + caption + rows);
    }

    std::string operator()(const ReportFigures& row) const
    {
        std::string figures;
        for (const ReportFigure& figure : row.figures) {
            figures += element(
                "figure", m_svgOf(figure) + element("figcaption", htmlEscaped(figure.caption)));
        }
        return element("div class=\"figures\"", "\n" + figures);
    }

    std::string operator()(const ReportFormula& formula) const
    {
        const std::string equals = formula.isRounded ? "\xE2\x89\x88 " : "= ";
        const auto spell = [](const FormulaSymbol& symbol) { return mathHtml(symbol.name); };
        const auto escape = [](const std::string& text) { return htmlEscaped(text); };
        const std::string symbols = symbolWords(formula.symbols, m_language, spell, escape);
        return element("div class=\"formula\"",
                       "\n" + element("p", element("b", htmlEscaped(formula.of)))
                           + element("p", mathHtml(formula.letters))
                           + element("p", "= " + mathHtml(formula.numbers))
                           + element("p", equals + element("b", htmlEscaped(formula.value)))
                           + (symbols.empty() ? "" : element("p class=\"small\"", symbols)));
    }

    std::string operator()(const ReportOptions& options) const
    {
        std::string entries;
        for (const std::string& text : options.texts) {
            entries += element("li", htmlEscaped(text));
        }
        return element("ol", "\n" + entries);
    }

    std::string operator()(const ReportAnswerBox& box) const
    {
        return element("div class=\"answer\"",
                       htmlEscaped(box.text)
                           + (box.unit.empty() ? "" : element("span", htmlEscaped(box.unit))));
    }

    std::string operator()(const ReportShareCode& share) const
    {
        const Result<QrCode> picture = QrCode::create(shareLink(share.code));
        const std::string text = element("p class=\"small\"", htmlEscaped(share.hint))
            + element("code", htmlEscaped(share.code));
        return element("div class=\"share\"",
                       "\n" + (picture ? qrSvg(*picture) : std::string())
                           + element("div", "\n" + text));
    }

    std::string operator()(const ReportPageBreak& /*here*/) const
    {
        return element("div class=\"break\"", "");
    }

private:
    static std::string cell(const std::string& tag, const Column& column, const std::string& text)
    {
        return element(column.align == Align::left ? tag + " class=\"left\"" : tag, text);
    }

    const std::string& m_language;
    const FigureSource& m_svgOf;
};

} // namespace

std::string htmlReport(const Report& report, const FigureSource& svgOf)
{
    std::string page = "<!DOCTYPE html>\n<html lang=\"" + htmlEscaped(report.language)
        + "\">\n<head>\n<meta charset=\"utf-8\">\n"
        + "<meta name=\"viewport\" content=\"width=device-width\">\n"
        + element("title", htmlEscaped(report.title)) + element("style", kStyle)
        + "</head>\n<body>\n" + element("h1", htmlEscaped(report.title))
        + element("p class=\"subtitle\"", htmlEscaped(report.subtitle));
    const HtmlBlocks blocks(report, svgOf);
    for (const ReportBlock& block : report.blocks) {
        page += std::visit(blocks, block);
    }
    return page + element("footer", htmlEscaped(report.footer)) + "</body>\n</html>\n";
}

} // namespace flopsmith
