// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/drag/drag_painter.h"

#include "ui/theme/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr qreal kGhostOpacity = 0.6;
constexpr qreal kGapRadius = 5.0;
constexpr qreal kTick = 4.0; // of the scale
constexpr qreal kMarker = 9.0;
constexpr qreal kMinTickDistance = 3.0;
constexpr qreal kBadgeRadius = 9.0;
constexpr QPointF kBadgeOffset{16.0, 18.0};

} // namespace

QPixmap translucent(const QPixmap& picture)
{
    QPixmap faint(picture.size());
    faint.setDevicePixelRatio(picture.devicePixelRatio());
    faint.fill(Qt::transparent);
    QPainter painter(&faint);
    painter.setOpacity(kGhostOpacity);
    painter.drawPixmap(0, 0, picture);
    return faint;
}

void paintGap(QPainter& painter, const QRectF& gap, const QString& caption, const Theme& theme)
{
    const QRectF box = gap.adjusted(1.0, 1.0, -1.0, -1.0);
    painter.setPen(QPen(theme.accent, 1.5));
    painter.setBrush(theme.accentSoft);
    if (box.height() < 2.0 * kGapRadius) {
        painter.drawLine(QPointF(gap.left(), gap.center().y()),
                         QPointF(gap.right(), gap.center().y()));
        return;
    }
    painter.drawRoundedRect(box, kGapRadius, kGapRadius);
    if (box.height() >= QFontMetricsF(painter.font()).ascent()) {
        painter.setPen(theme.text);
        painter.drawText(box, Qt::AlignCenter, caption);
    }
}

void paintClosedPlace(QPainter& painter, const QRectF& line, const Theme& theme)
{
    painter.setPen(QPen(theme.mutedText, 2.0, Qt::DashLine));
    painter.drawLine(QPointF(line.left(), line.center().y()),
                     QPointF(line.right(), line.center().y()));
}

void paintScale(QPainter& painter,
                qreal right,
                const std::vector<qreal>& places,
                qreal current,
                const Theme& theme)
{
    if (places.empty()) {
        return;
    }
    const qreal height = places.back() - places.front();
    const qreal distance = places.size() > 1 ? height / static_cast<qreal>(places.size() - 1) : 0.0;
    const auto step = distance > 0.0 && distance < kMinTickDistance
        ? static_cast<std::size_t>(std::ceil(kMinTickDistance / distance))
        : std::size_t{1};
    painter.setPen(QPen(theme.mutedText, 1.0));
    for (std::size_t i = 0; i < places.size(); i += step) {
        painter.drawLine(QPointF(right - kTick, places[i]), QPointF(right, places[i]));
    }
    painter.setPen(QPen(theme.accent, 2.5));
    painter.drawLine(QPointF(right - kMarker, current), QPointF(right, current));
}

void paintBadge(QPainter& painter, const QPointF& pointer, DragBadge badge, const Theme& theme)
{
    if (badge == DragBadge::none) {
        return;
    }
    const bool plus = badge == DragBadge::plus;
    const QPointF centre = pointer + kBadgeOffset;
    const QPointF across(kBadgeRadius * 0.55, 0.0);
    const QPointF down(0.0, kBadgeRadius * 0.55);
    painter.setPen(QPen(theme.panel, 1.5));
    painter.setBrush(plus ? theme.accent : theme.negative);
    painter.drawEllipse(centre, kBadgeRadius, kBadgeRadius);
    painter.setPen(QPen(plus ? theme.onAccent : theme.panel, 2.5, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(centre - across, centre + across);
    if (plus) {
        painter.drawLine(centre - down, centre + down);
    }
}

} // namespace flopsmith::ui
