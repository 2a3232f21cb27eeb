// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/start/preset_delegate.h"

#include "ui/theme/reading_order.h"
#include "ui/theme/theme.h"
#include "ui/window/start/preset_model.h"

#include <QApplication>
#include <QPainter>
#include <QStyle>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr int kCardPadding = 10;
constexpr int kPictureWidth = 44;
constexpr int kPictureGap = 12;
constexpr int kCardCharacters = 36; ///< of a line of the note
constexpr int kCardLines = 5; ///< name, figures and three of the note
constexpr double kTallestBar = 8.0;
constexpr double kShortestBar = 3.0;

void paintCard(QPainter& painter, const QStyleOptionViewItem& option, const Theme& theme)
{
    const bool current = option.state.testFlag(QStyle::State_Selected);
    const bool hovered = option.state.testFlag(QStyle::State_MouseOver);
    painter.setPen(current ? QPen(theme.accent, 1.5) : QPen(theme.fieldBorder, 1.0));
    painter.setBrush(current ? theme.accentSoft : hovered ? theme.fieldHover : theme.field);
    painter.drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -1), 6, 6);
}

// One bar for each part, as long as its share; thinner where there are many.
void paintStack(QPainter& painter, const QRectF& place, const std::vector<CardBar>& bars)
{
    const double step = std::min(
        kTallestBar, place.height() / static_cast<double>(std::max<std::size_t>(bars.size(), 1)));
    double top = place.center().y() - step * static_cast<double>(bars.size()) / 2.0;
    painter.setPen(Qt::NoPen);
    for (const CardBar& bar : bars) {
        const double length = std::max(kShortestBar, place.width() * bar.share);
        painter.setBrush(colour(*bar.component));
        painter.drawRect(QRectF(place.left(), top, length, step * 0.8));
        top += step;
    }
}

void paintTexts(QPainter& painter,
                const QRect& place,
                const QStyleOptionViewItem& option,
                const QModelIndex& index)
{
    const Theme& theme = systemTheme();
    const int line = option.fontMetrics.height();
    QFont bold = option.font;
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(theme.text);
    QRect row(place.left(), place.top(), place.width(), line);
    const auto write = [&](Qt::Alignment alignment, int wrap, const QString& text) {
        painter.drawText(
            row, textFlags(Qt::AlignLeft | alignment, text, option.direction) | wrap, text);
    };
    write(Qt::AlignVCenter, 0, index.data().toString());
    painter.setFont(option.font);
    row.translate(0, line);
    write(Qt::AlignVCenter, 0, index.data(PresetModel::figuresRole).toString());
    painter.setPen(theme.mutedText);
    row.translate(0, line);
    row.setBottom(place.bottom());
    write(Qt::AlignTop, Qt::TextWordWrap, index.data(PresetModel::noteRole).toString());
}

} // namespace

void PresetDelegate::paint(QPainter* painter,
                           const QStyleOptionViewItem& option,
                           const QModelIndex& index) const
{
    const QRect inside =
        option.rect.adjusted(kCardPadding, kCardPadding, -kCardPadding, -kCardPadding);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    paintCard(*painter, option, systemTheme());
    const auto facts = index.data(PresetModel::factsRole).value<PresetFacts>();
    const auto shown = [&](const QRect& place) {
        return QStyle::visualRect(option.direction, inside, place);
    };
    const QRect picture(inside.left(), inside.top(), kPictureWidth, inside.height());
    paintStack(*painter, shown(picture), facts.bars);
    const QRect texts = inside.adjusted(kPictureWidth + kPictureGap, 0, 0, 0);
    paintTexts(*painter, shown(texts), option, index);
    painter->restore();
}

QSize PresetDelegate::sizeHint(const QStyleOptionViewItem& option,
                               const QModelIndex& /*index*/) const
{
    const int text = option.fontMetrics.averageCharWidth() * kCardCharacters;
    return {text + kPictureWidth + kPictureGap + 2 * kCardPadding,
            kCardLines * option.fontMetrics.height() + 2 * kCardPadding};
}

} // namespace flopsmith::ui

#include "moc_preset_delegate.cpp"
