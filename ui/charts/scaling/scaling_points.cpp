// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/scaling/scaling_points.h"

#include "ui/charts/scaling/scaling_painter.h"

#include <QPolygonF>

#include <algorithm>

namespace flopsmith::ui {

QPainterPath pointShape(std::size_t curve, QPointF centre, double radius)
{
    QPainterPath path;
    const QRectF box(centre.x() - radius, centre.y() - radius, 2.0 * radius, 2.0 * radius);
    switch (curve % 3) {
    case 0: path.addEllipse(box); break;
    case 1: path.addRect(box.adjusted(0.4, 0.4, -0.4, -0.4)); break;
    default:
        path.addPolygon(QPolygonF({QPointF(centre.x(), box.top() - 0.6),
                                   QPointF(box.right() + 0.4, box.bottom()),
                                   QPointF(box.left() - 0.4, box.bottom())}));
        path.closeSubpath();
    }
    return path;
}

void drawMeasured(Drawing& drawing,
                  const ScalingChart& chart,
                  const ScalingLayout& layout,
                  const ChartStyle& style)
{
    if (!chart.measured) {
        return;
    }
    const double factor = chart.measured->factor;
    const QPen pen(style.theme.text, 1.2);
    for (std::size_t i = chart.measured->curves.size(); i-- > 0;) {
        for (const MeasuredScalingPoint& point : chart.measured->curves[i].points) {
            const QPointF at = layout.at({point.x, point.value * factor});
            const double low = std::max(point.value - point.spread, 1e-3 * point.value);
            const QPointF from = layout.at({point.x, low * factor});
            const QPointF to = layout.at({point.x, (point.value + point.spread) * factor});
            if (from.y() - to.y() > 8.0) { // else the point covers it
                drawing.line(from, to, pen);
            }
            const QBrush inside =
                point.settled ? QBrush(style.theme.text) : QBrush(style.theme.panel);
            drawing.shapes.push_back({pointShape(i, at, 3.8),
                                      point.settled ? QPen(style.theme.panel, 1.0) : pen,
                                      inside});
        }
    }
}

} // namespace flopsmith::ui
