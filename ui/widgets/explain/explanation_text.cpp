// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/explain/explanation_text.h"

#include "ui/theme/utf8.h"

namespace flopsmith::ui {
namespace {

QString paragraph(const QString& richText)
{
    return richText.isEmpty() ? QString() : QStringLiteral("<p>%1</p>").arg(richText);
}

// "d_ff (f), Dense".
QString titleOf(const Parameter& parameter)
{
    QString title = fromUtf8(parameter.text.label);
    if (!parameter.text.symbol.empty()) {
        title += QStringLiteral(" (%1)").arg(fromUtf8(parameter.text.symbol));
    }
    return title + QStringLiteral(", ") + QString::fromStdString(parameter.group);
}

// The choices of a parameter that are explained: "rms_norm" of "norm=rms_norm".
QString choicesText(const Parameter& parameter)
{
    const std::string prefix = std::string(parameter.text.key) + '=';
    QString text;
    for (const Explanation& each : explanations()) {
        if (each.key.substr(0, prefix.size()) == prefix) {
            text += explanationText(
                fromUtf8(each.key.substr(prefix.size())), fromUtf8(each.formula), each);
        }
    }
    return text;
}

} // namespace

QString explanationText(const QString& title, const QString& formula, const Explanation& about)
{
    return paragraph(QStringLiteral("<b>%1</b>").arg(title.toHtmlEscaped()))
        + paragraph(fromUtf8(about.text).toHtmlEscaped()) + paragraph(formula.toHtmlEscaped())
        + paragraph(QStringLiteral("<i>%1</i>").arg(fromUtf8(about.source).toHtmlEscaped()));
}

QString whatIs(const Parameter& parameter)
{
    const Explanation* about = explanationOf(parameter);
    return about == nullptr ? QString()
                            : explanationText(titleOf(parameter), fromUtf8(about->formula), *about)
            + choicesText(parameter);
}

} // namespace flopsmith::ui
