// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/stack_explanation.h"

#include "ui/theme/utf8.h"
#include "ui/widgets/explain/explanation_text.h"

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

} // namespace flopsmith::ui
