// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/scaling/scaling_figure.h"

#include "core/base/text.h"
#include "ui/charts/scaling/scaling_painter.h"
#include "ui/charts/scaling/scaling_points.h"

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

// The curve's y at x, between neighbouring points as the line is drawn.
std::optional<double> valueAt(const ScalingCurve& curve, const ScalingChart& chart, double x)
{
    const auto next = std::lower_bound(
        curve.points.begin(), curve.points.end(), x, [](const ScalingPoint& point, double wanted) {
            return point.x < wanted;
        });
    if (next == curve.points.end()) {
        return std::nullopt;
    }
    if (next->x == x || next == curve.points.begin()) {
        return next->x == x ? std::optional(next->y) : std::nullopt;
    }
    const ScalingPoint before = *std::prev(next);
    const double from = axisPosition(chart.xScale, before.x);
    const double to = axisPosition(chart.xScale, next->x);
    const double part = (axisPosition(chart.xScale, x) - from) / (to - from);
    const double low = axisPosition(chart.yScale, before.y);
    const double high = axisPosition(chart.yScale, next->y);
    const double position = low + part * (high - low);
    return chart.yScale == AxisScale::log2 ? std::exp2(position) : std::pow(10.0, position);
}

QString valueText(const ScalingChart& chart, double value)
{
    switch (chart.yUnit) {
    case TickUnit::bytes: return toQt(bytesText(value));
    case TickUnit::parameters: return toQt(parametersText(value));
    default: return toQt(siText(value));
    }
}

QString measuredText(const MeasuredScalingPoint& point)
{
    return toQt(durationText(point.seconds) + " \xC2\xB1 " + durationText(point.madSeconds) + ", "
                + siText(point.flopsPerSecond) + "FLOP/s");
}

} // namespace

QString ScalingFigure::title() const
{
    return Charts::tr("%1 over %2").arg(toQt(m_chart.yTitle), toQt(m_chart.xTitle));
}

QString ScalingFigure::summary() const
{
    QStringList parts{title()};
    for (const ScalingCurve& curve : m_chart.curves) {
        parts << toQt(curve.title + (curve.slopeText.empty() ? "" : " " + curve.slopeText));
    }
    if (m_chart.marker) {
        parts << toQt(m_chart.marker->text);
    }
    if (m_chart.measured && !m_chart.measured->caption.empty()) {
        parts << toQt(m_chart.measured->caption);
    }
    return emptyText().isEmpty() ? parts.join(QStringLiteral(", ")) : emptyText();
}

QString ScalingFigure::emptyText() const
{
    if (!m_chart.empty()) {
        return {};
    }
    QString reason = m_chart.emptyText.empty() ? Charts::tr("There is nothing to draw.")
                                               : toQt(m_chart.emptyText);
    if (!m_chart.notes.empty()) {
        reason += QStringLiteral("\n") + toQt(m_chart.notes.front());
    }
    return reason;
}

PlottedPicture ScalingFigure::picture(const QRectF& area, const ChartStyle& style) const
{
    const ScalingLayout layout = scalingLayout(m_chart, area, style);
    PlottedPicture picture{.area = layout.plot, .plot = scalingPlot(m_chart, layout, style)};
    drawScaling(picture.below, m_chart, layout, style);
    return picture;
}

// Every x at which some curve has a point, ascending.
std::vector<double> ScalingFigure::places() const
{
    std::vector<double> places;
    for (std::size_t i = 0; i < m_chart.curves.size(); ++i) {
        const std::vector<double> own = placesOf(m_chart, i);
        places.insert(places.end(), own.begin(), own.end());
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

std::vector<Hotspot> ScalingFigure::contentHotspots(const QRectF& area,
                                                    const ChartStyle& style) const
{
    const ScalingLayout layout = scalingLayout(m_chart, area, style);
    std::vector<Hotspot> hotspots;
    for (const double x : places()) {
        Hotspot hotspot{.title = toQt(m_chart.xTitle) + QStringLiteral(": ") + toQt(numberText(x))};
        double highest = layout.plot.bottom();
        for (std::size_t i = 0; i < m_chart.curves.size(); ++i) {
            const ScalingCurve& curve = m_chart.curves[i];
            if (const auto y = valueAt(curve, m_chart, x)) {
                hotspot.lines.push_back(
                    {curveColour(curve, style.theme), toQt(curve.title), valueText(m_chart, *y)});
                highest = std::min(highest, layout.at({x, *y}).y());
            }
            if (const MeasuredScalingPoint* point = measuredAt(m_chart, i, x)) {
                hotspot.lines.push_back(
                    {style.theme.text, QStringLiteral("measured"), measuredText(*point)});
            }
        }
        hotspot.anchor = {layout.at({x, 1.0}).x(), highest};
        hotspots.push_back(std::move(hotspot));
    }
    return hotspots;
}

int ScalingFigure::contentHotspotAt(QPointF place,
                                    const QRectF& area,
                                    const ChartStyle& style) const
{
    const ScalingLayout layout = scalingLayout(m_chart, area, style);
    const std::vector<double> all = places();
    if (all.empty() || !layout.plot.adjusted(-6, -6, 6, 6).contains(place)) {
        return -1;
    }
    const double share = (place.x() - layout.plot.left()) / layout.plot.width();
    const double wanted = layout.xAxis.valueAt(share);
    const auto next = std::lower_bound(all.begin(), all.end(), wanted);
    if (next == all.begin()) {
        return 0;
    }
    const auto before = std::prev(next);
    const bool takeNext = next != all.end()
        && layout.xAxis.share(*next) - share < share - layout.xAxis.share(*before);
    return static_cast<int>((takeNext ? next : before) - all.begin());
}

Drawing ScalingFigure::highlight(int hotspot, const QRectF& area, const ChartStyle& style) const
{
    const ScalingLayout layout = scalingLayout(m_chart, area, style);
    const double value = places().at(static_cast<std::size_t>(hotspot));
    const double x = layout.at({value, 1.0}).x();
    Drawing drawing;
    drawing.line(
        {x, layout.plot.top()}, {x, layout.plot.bottom()}, QPen(style.theme.mutedText, 1.0));
    for (const ScalingCurve& curve : m_chart.curves) {
        if (const auto y = valueAt(curve, m_chart, value)) {
            QPainterPath dot;
            dot.addEllipse(layout.at({value, *y}), 4.0, 4.0);
            drawing.shapes.push_back(
                {dot, QPen(style.theme.panel, 1.2), curveColour(curve, style.theme)});
        }
    }
    return drawing;
}

FigureResult scalingFigure(const FigureRequest& request)
{
    FLOPSMITH_TRY(const Axis axis, scalingAxis(request));
    ScalingRequest curves{.metric = request.metric,
                          .lens = request.lens,
                          .axis = axis,
                          .pairs = pairsOf(request),
                          .scope = request.scope};
    if (request.hardware && metric(request.metric).needs == MetricNeeds::hardware) {
        curves.on = MetricHardware{*request.hardware};
    }
    FLOPSMITH_RETURN_IF_ERROR(computable(curves.metric, curves.basis()));
    if (!request.others.empty()) {
        std::vector<ScalingVariant> designs = designVariants(designsOf(request));
        designs.front().ties = request.ties;
        ScalingChart beside = scalingChart(designs, curves, request.keptCurves);
        if (request.curves) {
            beside.notes.push_back("measured points are of the first design alone and left out");
        }
        return made<ScalingFigure>(std::move(beside));
    }
    ScalingChart chart = scalingChart(usualVariants(request.scenario, request.ties), curves);
    if (request.curves) {
        addMeasured(chart, *request.curves);
    }
    if (!request.scope.isModel()) { // which not every variant has
        std::erase_if(chart.curves, [](const ScalingCurve& curve) { return curve.points.empty(); });
    }
    return made<ScalingFigure>(std::move(chart));
}

} // namespace flopsmith::ui
