// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/stack_explanation.h"

#include "ui/document/scenario_edit.h"
#include "ui/theme/utf8.h"
#include "ui/widgets/explain/explanation_text.h"

#include <QObject>

#include <string>

namespace flopsmith::ui {
namespace {

QString variantExplanation(const char* prefix, const VariantInfo& variant)
{
    const Explanation* about = explanationOf(prefix + std::string(variant.id));
    return about == nullptr
        ? QString()
        : explanationText(fromUtf8(variant.title), fromUtf8(variant.formula), *about);
}

// Of the one part of a row that has the title.
QString kindExplanation(const StackRow& row, const char* prefix, std::string_view kind)
{
    const Explanation* about = explanationOf(prefix + std::string(kind));
    const QString title =
        QStringLiteral("%1: %2").arg(QString::fromStdString(row.title), fromUtf8(kind));
    return about == nullptr ? QString() : explanationText(title, fromUtf8(about->formula), *about);
}

QString blockExplanation(const Block& block)
{
    QString text = variantExplanation("mixer/", info(block.mixer));
    if (block.holdsCross()) {
        text += variantExplanation("mixer/", info(block.cross));
    }
    return text + variantExplanation("ffn/", info(block.ffn));
}

// The row with its parts and what they cost, in one line.
QString rowDescription(const StackRow& row)
{
    QString text = QString::fromStdString(row.title);
    if (!row.patternText.empty()) {
        text += QStringLiteral(", ") + QString::fromStdString(row.patternText);
    }
    for (const StackPart& part : row.parts) {
        const QString title = QString::fromStdString(part.title);
        const QString cost = QString::fromStdString(part.bar.text);
        text += title == text ? QStringLiteral(" %1").arg(cost)
                              : QStringLiteral(", %1 %2").arg(title, cost);
    }
    return text;
}

// "Selected", or how many blocks are and that one of the runs follows.
QString selectedText(const Scenario& scenario, const Selection& selection)
{
    return selection.isSeveral() ? QObject::tr("%1 blocks in %2 runs selected, the current one")
                                       .arg(blocksIn(scenario, selection.runs()))
                                       .arg(selection.runs().size())
                                 : QObject::tr("Selected");
}

} // namespace

QString whatIs(const Model& model, const StackRow& row)
{
    switch (row.kind) {
    case StackRow::Kind::embedding:
        return kindExplanation(row, "positions=", enumName(model.embedding.positions));
    case StackRow::Kind::run:
        return blockExplanation(model.runs.at(static_cast<std::size_t>(row.run)).block);
    case StackRow::Kind::encoderNorm:
        return kindExplanation(row, "norm=", enumName(model.encoderNorm.kind));
    case StackRow::Kind::finalNorm:
        return kindExplanation(row, "norm=", enumName(model.finalNorm.kind));
    case StackRow::Kind::head: return kindExplanation(row, "head=", enumName(model.head.kind));
    }
    return {};
}

QString stackDescription(const Scenario& scenario,
                         const Selection& selection,
                         const StackLayout& layout)
{
    QStringList rows;
    for (const StackRow& row : layout.picture.rows) {
        rows << rowDescription(row);
    }
    return QObject::tr("%1: %2. All: %3")
        .arg(selectedText(scenario, selection),
             rows.value(layout.currentRow(selection)),
             rows.join(QStringLiteral("; ")));
}

} // namespace flopsmith::ui
