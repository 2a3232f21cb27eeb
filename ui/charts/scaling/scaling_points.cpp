// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/scaling/scaling_points.h"

#include <QPolygonF>

#include <algorithm>
#include <array>
#include <utility>

namespace flopsmith::ui {

namespace {

// Of a measured curve's points: round, square, a triangle.
PlotMark markOf(std::size_t curve)
{
    constexpr std::array<PlotMark, 3> kMarks{PlotMark::disc, PlotMark::square, PlotMark::triangle};
    return kMarks.at(curve % kMarks.size());
}

// So that all marks look equally large.
double markSize(PlotMark mark, double radius)
{
    return mark == PlotMark::square  ? 2.0 * radius - 0.8
        : mark == PlotMark::triangle ? 2.0 * radius + 0.7
                                     : 2.0 * radius;
}

} // namespace

QPainterPath pointShape(std::size_t curve, QPointF centre, double radius)
{
    const PlotMark mark = markOf(curve);
    const double size = markSize(mark, radius);
    const QRectF box(centre.x() - size / 2, centre.y() - size / 2, size, size);
    QPainterPath path;
    switch (mark) {
    case PlotMark::square: path.addRect(box); break;
    case PlotMark::triangle:
        path.addPolygon(
            QPolygonF({QPointF(centre.x(), box.top()), box.bottomRight(), box.bottomLeft()}));
        path.closeSubpath();
        break;
    default: path.addEllipse(box);
    }
    return path;
}

void addMeasuredPoints(PlotContent& content,
                       const ScalingChart& chart,
                       const ScalingLayout& layout,
                       const Theme& theme)
{
    if (!chart.measured) {
        return;
    }
    const double factor = chart.measured->factor;
    for (std::size_t i = chart.measured->curves.size(); i-- > 0;) {
        PlotPoints settled{.mark = markOf(i), .outline = QPen(theme.panel, 1.0)};
        settled.size = markSize(settled.mark, 3.8);
        settled.fill = theme.text;
        PlotPoints open = settled;
        open.outline = QPen(theme.text, 1.2);
        open.fill = theme.panel;
        for (const MeasuredScalingPoint& point : chart.measured->curves[i].points) {
            const double minValue = std::max(point.value - point.spread, 1e-3 * point.value);
            const ScalingPoint low{point.x, minValue * factor};
            const ScalingPoint high{point.x, (point.value + point.spread) * factor};
            if (layout.at(low).y() - layout.at(high).y() > 8.0) { // otherwise the point covers it
                content.lines.push_back({.points = {{low.x, low.y}, {high.x, high.y}},
                                         .colour = theme.text,
                                         .width = 1.2});
            }
            (point.settled ? settled : open).points.append({point.x, point.value * factor});
        }
        for (PlotPoints* points : {&settled, &open}) {
            if (!points->points.isEmpty()) {
                content.points.push_back(std::move(*points));
            }
        }
    }
}

} // namespace flopsmith::ui
