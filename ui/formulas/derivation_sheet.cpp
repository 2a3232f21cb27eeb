// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/formulas/derivation_sheet.h"

#include "core/base/text.h"
#include "ui/formulas/formula_text.h"
#include "ui/theme/utf8.h"

namespace flopsmith::ui {
namespace {

QString valueText(const DerivationStep& step, const std::string& unit)
{
    return fromUtf8(groupedDigits(step.formula.value)) + QLatin1Char(' ') + fromUtf8(unit);
}

// Transforms are rounded one by one, so that a line's numbers miss its value by a little.
QString equals(const DerivationStep& step)
{
    const bool isRounded = step.formula.nominal && step.role == DerivationRole::line;
    return isRounded ? QStringLiteral("≈ ") : QStringLiteral("= ");
}

QString lettersHtml(const DerivationStep& step, const Theme& theme, const QStringList& movable)
{
    const QString letters = formulaHtml(step.formula.text, movable);
    return step.simplified
        ? letters + QStringLiteral(" = ") + formulaHtml(step.simplified->text, movable)
            + QStringLiteral(" <span style='color:%1'>(%2)</span>")
                  .arg(theme.mutedText.name(), fromUtf8(step.given).toHtmlEscaped())
        : letters;
}

QString stepHtml(const DerivationStep& step,
                 int number,
                 bool isLast,
                 const std::string& unit,
                 const Theme& theme,
                 const QStringList& movable)
{
    const QString line =
        QStringLiteral("<p style='margin-left:22px; margin-top:2px; margin-bottom:0px; %1'>%2</p>");
    const QString muted = QStringLiteral("color:%1").arg(theme.mutedText.name());
    const QString ground =
        isLast ? QStringLiteral("background-color:%1").arg(theme.accentSoft.name()) : QString();
    return QStringLiteral("<p style='margin-top:14px; margin-bottom:0px; font-weight:600; %1'>%2. "
                          "%3</p>")
               .arg(ground, QString::number(number), fromUtf8(step.title).toHtmlEscaped())
        + line.arg(muted, fromUtf8(step.reason).toHtmlEscaped())
        + line.arg(QStringLiteral("font-size:large; line-height:140%"),
                   lettersHtml(step, theme, movable))
        + line.arg(muted, QStringLiteral("= ") + formulaHtml(step.formula.numbers))
        + line.arg(QStringLiteral("font-weight:600"), equals(step) + valueText(step, unit));
}

} // namespace

QString derivationSheet(const Derivation& derivation,
                        int shown,
                        const Theme& theme,
                        const QStringList& movable)
{
    QString html;
    for (int i = 0; i < shown; ++i) {
        html += stepHtml(derivation.steps.at(static_cast<std::size_t>(i)),
                         i + 1,
                         i + 1 == shown,
                         derivation.unit,
                         theme,
                         movable);
    }
    return html;
}

QString plainStep(const DerivationStep& step, const std::string& unit)
{
    return fromUtf8(step.title) + QStringLiteral(": ") + plainFormula(step.formula.text)
        + QStringLiteral(" = ") + valueText(step, unit) + QStringLiteral(". ")
        + fromUtf8(step.reason);
}

} // namespace flopsmith::ui
