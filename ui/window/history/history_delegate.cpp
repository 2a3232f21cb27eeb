// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/history/history_delegate.h"

#include "ui/theme/reading_order.h"
#include "ui/theme/theme.h"
#include "ui/window/history/history_model.h"

#include <QApplication>
#include <QPainter>
#include <QPolygonF>
#include <QStyle>

#include <cmath>
#include <numbers>

namespace flopsmith::ui {
namespace {

constexpr int kMark = 8; ///< diameter
constexpr int kMarkColumn = 22;
constexpr int kStepPadding = 5; ///< above and below the two lines

void paintStepGround(QPainter& painter, const QStyleOptionViewItem& option, const Theme& theme)
{
    if (option.state.testFlag(QStyle::State_Selected)) {
        painter.fillRect(option.rect, theme.accentSoft);
    } else if (option.state.testFlag(QStyle::State_MouseOver)) {
        painter.fillRect(option.rect, theme.fieldHover);
    }
    if (option.state.testFlag(QStyle::State_HasFocus)) {
        painter.setPen(theme.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void paintMark(QPainter& painter, const QPointF& centre, bool filled, const Theme& theme)
{
    painter.setPen(QPen(filled ? theme.accent : theme.mutedText, 1.5));
    painter.setBrush(filled ? QBrush(theme.accent) : QBrush(Qt::NoBrush));
    painter.drawEllipse(centre, kMark / 2.0, kMark / 2.0);
}

// Five outer and five inner corners, the first one at the top.
void paintStar(QPainter& painter, const QPointF& centre, const Theme& theme)
{
    constexpr int kCorners = 10;
    constexpr double kOuter = 6.0;
    constexpr double kInner = 2.5;
    QPolygonF star;
    for (int corner = 0; corner < kCorners; ++corner) {
        const double angle = 2.0 * std::numbers::pi * corner / kCorners;
        const double radius = corner % 2 == 0 ? kOuter : kInner;
        star << centre + QPointF(radius * std::sin(angle), -radius * std::cos(angle));
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.accent);
    painter.drawPolygon(star);
}

} // namespace

void HistoryDelegate::paint(QPainter* painter,
                            const QStyleOptionViewItem& option,
                            const QModelIndex& index) const
{
    const Theme& theme = systemTheme();
    const auto place = index.data(HistoryModel::placeRole).value<HistoryModel::Place>();
    const bool undone = place == HistoryModel::Place::undone;
    const int line = option.fontMetrics.height();
    const QRect text = option.rect.adjusted(kMarkColumn, kStepPadding, -4, -kStepPadding);
    const QRect upper = QStyle::visualRect(
        option.direction, option.rect, QRect(text.left(), text.top(), text.width(), line));
    const QRectF mark(option.rect.left(), upper.top(), kMarkColumn, line);
    const auto drawLine = [&](int down, const QString& shown) {
        painter->drawText(upper.translated(0, down),
                          textFlags(Qt::AlignLeft | Qt::AlignVCenter, shown, option.direction),
                          option.fontMetrics.elidedText(shown, Qt::ElideRight, upper.width()));
    };
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    paintStepGround(*painter, option, theme);
    paintMark(*painter,
              mirroredIn(option.direction, option.rect, mark).center(),
              place == HistoryModel::Place::current,
              theme);
    if (index.data(HistoryModel::bookmarkRole).toBool()) {
        paintStar(
            *painter,
            QPointF(option.rect.left() + kMarkColumn / 2.0, QRectF(upper).center().y() + line),
            theme);
    }
    painter->setFont(option.font);
    painter->setPen(undone ? theme.mutedText : theme.text);
    drawLine(0, index.data().toString());
    painter->setPen(theme.mutedText);
    drawLine(line, index.data(HistoryModel::changeRole).toString());
    painter->restore();
}

QSize HistoryDelegate::sizeHint(const QStyleOptionViewItem& option,
                                const QModelIndex& /*index*/) const
{
    return {kMarkColumn, 2 * option.fontMetrics.height() + 2 * kStepPadding};
}

} // namespace flopsmith::ui

#include "moc_history_delegate.cpp"
