// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/roofline/roofline_plot.h"

namespace flopsmith::ui {
namespace {

QList<qreal> measuredRoofDashes()
{
    return {5.0, 3.0};
}

QList<QPointF> pointsOf(const std::vector<RooflinePlace>& places)
{
    QList<QPointF> points;
    for (const RooflinePlace& place : places) {
        points.append({place.intensity, place.flopsPerSecond});
    }
    return points;
}

PlotLine foot(const RooflineChart& chart, const RooflineLayout& layout, const Theme& theme)
{
    const double ridge = chart.peaks.ridge();
    return {.points = {{ridge, chart.peaks.flopsPerSecond}, {ridge, layout.yAxis.valueAt(0.0)}},
            .colour = theme.mutedText,
            .width = 1.0,
            .dashes = {2.5, 2.5}};
}

PlotLine roof(const RooflineChart& chart, const RooflineLayout& layout, const Theme& theme)
{
    PlotLine line{
        .points = pointsOf(chart.roof(layout.xAxis)), .colour = theme.accent, .width = 2.2};
    if (chart.roofOrigin == Origin::measured) {
        line.colour = theme.text;
        line.width = 2.0;
        line.dashes = measuredRoofDashes();
    }
    return line;
}

// Computed is an open ring, measured a filled diamond about as large, a whole design a square.
PlotPoints dotOf(const RooflinePoint& point, double radius, const Theme& theme)
{
    PlotPoints dot{.points = {{point.at.intensity, point.at.flopsPerSecond}}};
    if (point.origin == Origin::measured) {
        dot.mark = PlotMark::diamond;
        dot.size = 2.0 * kDiamondReach * radius;
        dot.outline = QPen(theme.text, 1.0);
        dot.fill = colour(*point.component);
        return dot;
    }
    if (point.isDesign) {
        dot.mark = PlotMark::square;
        dot.size = 2.0 * radius;
        dot.outline = QPen(theme.panel, 1.0);
        dot.fill = lineColour(*point.component, theme);
        return dot;
    }
    dot.size = 2.0 * (radius - kRingInset);
    dot.outline = QPen(lineColour(*point.component, theme), 2.0);
    dot.fill = theme.panel;
    return dot;
}

} // namespace

PlotContent rooflinePlot(const RooflineChart& chart,
                         const RooflineLayout& layout,
                         const ChartStyle& style)
{
    PlotContent content{.x = plotAxis(layout.xAxis), .y = plotAxis(layout.yAxis)};
    content.lines.push_back(foot(chart, layout, style.theme));
    for (std::size_t i = 0; i < chart.ceilings.size(); ++i) {
        if (!layout.ceilings[i].line.isNull()) {
            content.lines.push_back(
                {.points = pointsOf(chart.line(chart.ceilings[i], layout.xAxis)),
                 .colour = style.theme.mutedText,
                 .width = 1.2,
                 .dashes = measuredRoofDashes()});
        }
    }
    content.lines.push_back(roof(chart, layout, style.theme));
    for (std::size_t i = 0; i < layout.dots.size(); ++i) { // each of a size of its own
        content.points.push_back(dotOf(chart.points[i], layout.dots[i].radius, style.theme));
    }
    return content;
}

} // namespace flopsmith::ui
