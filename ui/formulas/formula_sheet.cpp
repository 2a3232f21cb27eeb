// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/formulas/formula_sheet.h"

#include "core/base/text.h"
#include "ui/formulas/formula_text.h"
#include "ui/theme/utf8.h"

#include <QCoreApplication>

namespace flopsmith::ui {
namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("FormulaSheet", text);
}

QString heading(const QString& text, const Theme& theme)
{
    return QStringLiteral("<p style='margin-top:18px; margin-bottom:4px; color:%1'>%2</p>")
        .arg(theme.mutedText.name(), text);
}

QString valueText(const FormulaSymbol& symbol)
{
    return fromUtf8(symbol.values.empty() ? groupedDigits(symbol.value) : symbol.values);
}

QString symbolRow(const FormulaSymbol& symbol, const Theme& theme)
{
    const QString cell = QStringLiteral("<td style='padding:4px 22px 4px 0px; %1'%2>%3</td>");
    const QString muted = QStringLiteral("color:%1").arg(theme.mutedText.name());
    const QString meaning =
        symbol.meaning.empty() ? tr("a size of this model") : fromUtf8(symbol.meaning);
    return QStringLiteral("<tr>")
        + cell.arg(QStringLiteral("font-size:large"), QString(), symbolHtml(symbol.name))
        + cell.arg(QString(), QStringLiteral(" align='right'"), valueText(symbol))
        + cell.arg(QString(), QString(), meaning.toHtmlEscaped())
        + cell.arg(muted, QString(), fromUtf8(symbol.name).toHtmlEscaped())
        + QStringLiteral("</tr>");
}

QString symbolTable(const Formula& formula, const Theme& theme)
{
    const QString head = QStringLiteral("<td style='color:%1; padding:0px 20px 4px 0px'%2>%3</td>");
    const QString muted = theme.mutedText.name();
    QString rows = QStringLiteral("<tr>") + head.arg(muted, QString(), tr("symbol"))
        + head.arg(muted, QStringLiteral(" align='right'"), tr("value"))
        + head.arg(muted, QString(), tr("meaning")) + head.arg(muted, QString(), tr("typed as"))
        + QStringLiteral("</tr>");
    for (const FormulaSymbol& symbol : formula.symbols) {
        rows += symbolRow(symbol, theme);
    }
    return QStringLiteral("<table cellspacing='0' border='0' style='margin-top:18px'>%1</table>")
        .arg(rows);
}

} // namespace

QString formulaSheet(const Formula& formula, const Theme& theme, const QStringList& movable)
{
    QString html = QStringLiteral("<p style='font-size:x-large; line-height:140%'>%1</p>")
                       .arg(formulaHtml(formula.text, movable));
    if (!formula.symbols.empty()) {
        html += heading(tr("With numbers put in"), theme)
            + QStringLiteral("<p style='margin-top:0px; line-height:150%'>%1</p>")
                  .arg(formulaHtml(formula.numbers));
    }
    if (formula.nominal) {
        html += QStringLiteral("<p style='color:%1'>%2</p>")
                    .arg(theme.mutedText.name(),
                         tr("Fourier transforms are nominal. The value rounds each of them to "
                            "whole operations, the formula does not."));
    }
    return formula.symbols.empty() ? html : html + symbolTable(formula, theme);
}

QString sumLine(const QString& whole, const std::vector<SheetTerm>& terms, const Theme& theme)
{
    constexpr std::size_t kMaxTerms = 40; // more cannot be read as a sum
    QStringList links;
    if (terms.size() > kMaxTerms) {
        return {};
    }
    for (const SheetTerm& term : terms) {
        const QString style =
            QStringLiteral("color:%1; text-decoration:%2")
                .arg(theme.text.name(),
                     term.selected ? QStringLiteral("none; background-color:%1; font-weight:600")
                                         .arg(theme.accentSoft.name())
                                   : QStringLiteral("underline"));
        links << QStringLiteral("<a href='#%1' style='%2'>%3</a>")
                     .arg(QString::fromLatin1(QUrl::toPercentEncoding(term.path)),
                          style,
                          term.name.toHtmlEscaped())
                + (term.figure.isEmpty() ? QString() : QStringLiteral("\u00A0") + term.figure);
    }
    return links.isEmpty() ? QString()
                           : heading(tr("%1 is the sum of").arg(whole.toHtmlEscaped()), theme)
            + QStringLiteral("<p style='margin-top:0px; line-height:150%'>%1</p>")
                  .arg(links.join(QStringLiteral(" + ")));
}

QString pathOfLink(const QUrl& link)
{
    return link.fragment(QUrl::FullyDecoded);
}

QString formulaLines(const Formula& formula, const QString& unit, const Theme& theme)
{
    const QString line = QStringLiteral(
        "<p style='margin-left:18px; margin-top:%1px; margin-bottom:0px; %2'>%3</p>");
    const QString muted = QStringLiteral("color:%1").arg(theme.mutedText.name());
    return line.arg(
               QStringLiteral("6"), QStringLiteral("font-size:large"), formulaHtml(formula.text))
        + line.arg(QStringLiteral("2"), muted, QStringLiteral("= ") + formulaHtml(formula.numbers))
        + line.arg(QStringLiteral("2"),
                   QStringLiteral("font-weight:600"),
                   QStringLiteral("= ") + fromUtf8(groupedDigits(formula.value)) + QLatin1Char(' ')
                       + unit);
}

} // namespace flopsmith::ui
