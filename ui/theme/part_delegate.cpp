// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/part_delegate.h"

#include "ui/theme/reading_order.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr int kRowHeight = 28;
constexpr int kEdge = 3;
constexpr int kPadding = 8;
constexpr int kLevel = 14;

// Places inside a cell, which is mirrored if the list is laid out from right to left.
class CellPlaces
{
public:
    explicit CellPlaces(const QStyleOptionViewItem& item)
        : m_item(item)
    {}

    QRectF shown(const QRectF& place) const
    {
        return mirroredIn(m_item.direction, m_item.rect, place);
    }
    QRect shown(const QRect& place) const
    {
        return QStyle::visualRect(m_item.direction, m_item.rect, place);
    }

private:
    const QStyleOptionViewItem& m_item;
};

void paintEdge(QPainter& painter, const CellPlaces& places, const QRect& cell, const QColor& colour)
{
    painter.setBrush(colour);
    painter.drawRoundedRect(
        places.shown(QRectF(cell.left(), cell.top() + 7, kEdge, cell.height() - 14)), 1.5, 1.5);
}

void paintShare(QPainter& painter,
                const CellPlaces& places,
                const QRect& cell,
                double share,
                const Theme& theme)
{
    const QRectF line(cell.left(), cell.bottom() - 4, cell.width(), 2);
    painter.setBrush(theme.groove);
    painter.drawRoundedRect(places.shown(line), 1, 1);
    const double length = line.width() * std::clamp(share, 0.0, 1.0);
    painter.setBrush(theme.accent);
    painter.drawRoundedRect(places.shown(QRectF(line.left(), line.top(), length, 2)), 1, 1);
}

void paintGround(QPainter& painter, const QStyleOptionViewItem& item, const Theme& theme)
{
    if (item.state.testFlag(QStyle::State_Selected)) {
        painter.fillRect(item.rect, theme.accentSoft);
    } else if (item.state.testFlag(QStyle::State_MouseOver)) {
        painter.fillRect(item.rect, theme.fieldHover);
    }
}

// How much wider the longest fraction of the column is than the cell's own.
int beyondFraction(const QFontMetrics& metrics, const QModelIndex& index)
{
    const QStringList fractions = index.data(partFractionRole).toStringList();
    return fractions.size() == 2
        ? metrics.horizontalAdvance(fractions.front()) - metrics.horizontalAdvance(fractions.back())
        : 0;
}

QColor inkOf(const QModelIndex& index, const Theme& theme)
{
    const auto own = index.data(Qt::ForegroundRole).value<QColor>();
    return own.isValid() ? own : theme.text;
}

} // namespace

void PartDelegate::paint(QPainter* painter,
                         const QStyleOptionViewItem& option,
                         const QModelIndex& index) const
{
    const Theme& theme = systemTheme();
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const CellPlaces places(item);

    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    paintGround(*painter, item, theme);
    QRect text = item.rect.adjusted(kPadding, 0, -kPadding, 0);
    text.adjust(kLevel * index.data(partIndentRole).toInt(), 0, 0, 0);
    const QColor edge = index.data(partColourRole).value<QColor>();
    if (edge.isValid()) {
        paintEdge(*painter, places, text, edge);
        text.adjust(kEdge + kPadding, 0, 0, 0);
    }
    const QVariant share = index.data(partShareRole);
    if (share.isValid()) {
        paintShare(*painter, places, text, share.toDouble(), theme);
        text.adjust(0, 0, 0, -4);
    }
    text.adjust(0, 0, -beyondFraction(item.fontMetrics, index), 0);
    painter->setFont(item.font);
    painter->setPen(inkOf(index, theme));
    painter->drawText(places.shown(text),
                      textFlags(item.displayAlignment, item.text, item.direction),
                      item.fontMetrics.elidedText(item.text, Qt::ElideRight, text.width()));
    painter->restore();
}

QSize PartDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QSize size = QStyledItemDelegate::sizeHint(option, index);
    const int edge = index.data(partColourRole).isValid() ? kEdge + kPadding : 0;
    const int indent = kLevel * index.data(partIndentRole).toInt();
    return {size.width() + edge + indent + kPadding, std::max(size.height(), kRowHeight)};
}

} // namespace flopsmith::ui

#include "moc_part_delegate.cpp"
