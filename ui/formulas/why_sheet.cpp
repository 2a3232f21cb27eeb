// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/formulas/why_sheet.h"

#include "core/base/text.h"
#include "ui/formulas/formula_text.h"
#include "ui/theme/utf8.h"

#include <QCoreApplication>

namespace flopsmith::ui {
namespace {

constexpr std::size_t kLongestFormula = 600; // letters; what is longer has a page of its own

QString cardText(const char* text)
{
    return QCoreApplication::translate("WhySheet", text);
}

QString paragraph(const QString& html, const QString& style = {})
{
    return QStringLiteral("<p style='margin-top:8px; margin-bottom:0px; %1'>%2</p>")
        .arg(style, html);
}

QString muted(const Theme& theme)
{
    return QStringLiteral("color:%1").arg(theme.mutedText.name());
}

// Formula, numbers and value.
QString formulaLines(const Why& why, const Theme& theme)
{
    const Formula& formula = *why.formula;
    const QString value =
        QStringLiteral("<b>%1 %2</b>")
            .arg(fromUtf8(groupedDigits(formula.value)), fromUtf8(why.unit).toHtmlEscaped());
    if (formula.text.size() > kLongestFormula) {
        return paragraph(cardText("The formula is long; its page shows it."), muted(theme))
            + paragraph(QStringLiteral("= ") + value);
    }
    QString lines = paragraph(formulaHtml(formula.text), QStringLiteral("font-size:large"));
    if (!formula.symbols.empty()) {
        lines += paragraph(QStringLiteral("= ") + formulaHtml(formula.numbers), muted(theme));
    }
    return lines
        + paragraph((formula.nominal ? QStringLiteral("≈ ") : QStringLiteral("= ")) + value);
}

QString stepRow(const WhyStep& step, const Theme& theme)
{
    const QString cell = QStringLiteral("<td style='padding:2px 18px 2px 0px; %1'%2>%3</td>");
    const QString right = QStringLiteral(" align='right'");
    return QStringLiteral("<tr>")
        + cell.arg(QString(), QString(), fromUtf8(step.title).toHtmlEscaped())
        + cell.arg(muted(theme), right, fromUtf8(step.arithmetic).toHtmlEscaped())
        + cell.arg(QString(), right, fromUtf8(step.result).toHtmlEscaped())
        + QStringLiteral("</tr>");
}

QString steps(const Why& why, const Theme& theme)
{
    QString rows;
    for (const WhyStep& step : why.steps) {
        rows += stepRow(step, theme);
    }
    return rows.isEmpty()
        ? rows
        : QStringLiteral("<table cellspacing='0' border='0' style='margin-top:10px'>%1</table>")
              .arg(rows);
}

QString links(const Why& why, const Theme& theme)
{
    const QString link = QStringLiteral("<a href='%1' style='color:%2'>%3</a>");
    QString line;
    if (!why.view.empty()) {
        line =
            link.arg(kPageLink + fromUtf8(why.view), theme.accent.name(), cardText("Open its page"))
            + QStringLiteral(" &nbsp;·&nbsp; ");
    }
    return paragraph(line + link.arg(kCopyLink, theme.accent.name(), cardText("Copy")));
}

} // namespace

QString whySheet(const Why& why, const Theme& theme)
{
    QString html = QStringLiteral("<p style='margin-top:0px; font-weight:600'>%1</p>")
                       .arg(fromUtf8(why.title).toHtmlEscaped())
        + paragraph(fromUtf8(why.sentence).toHtmlEscaped());
    if (why.formula) {
        html += formulaLines(why, theme);
    }
    if (!why.noFormula.empty()) {
        html += paragraph(fromUtf8(why.noFormula).toHtmlEscaped(), muted(theme));
    }
    html += steps(why, theme);
    for (const std::string& line : why.basis) {
        html += paragraph(fromUtf8(line).toHtmlEscaped(), muted(theme));
    }
    return html + links(why, theme);
}

} // namespace flopsmith::ui
