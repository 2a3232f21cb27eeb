// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/scaling/scaling_figure.h"

#include "core/base/text.h"
#include "ui/charts/scaling/scaling_painter.h"
#include "ui/charts/scaling/scaling_points.h"

#include <algorithm>
#include <utility>

namespace flopsmith::ui {
namespace {

std::vector<LinePlace> lineOf(const ScalingCurve& curve)
{
    std::vector<LinePlace> line;
    for (const ScalingPoint& point : curve.points) {
        line.push_back({point.x, point.y});
    }
    return line;
}

// The curve's y at x, between neighbouring points as the line is drawn.
std::optional<double> valueAt(const ScalingCurve& curve, const ScalingChart& chart, double x)
{
    return crossing(lineOf(curve), chart.xScale, chart.yScale, x);
}

// Where the curve first has the value.
std::optional<double> firstAt(const ScalingCurve& curve, const ScalingChart& chart, double y)
{
    std::vector<LinePlace> line = lineOf(curve);
    for (LinePlace& place : line) {
        std::swap(place.along, place.across);
    }
    return crossing(line, chart.yScale, chart.xScale, y);
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

TickMeaning ScalingFigure::tickMeaning(const AxisTick& tick) const
{
    if (tick.side == AxisSide::right) {
        return {.axis = toQt(m_chart.measured->title),
                .sentence = Charts::tr("Measured on %1; a decade is as long as on the left.")
                                .arg(toQt(m_chart.measured->device))};
    }
    const bool isX = tick.side == AxisSide::x;
    TickMeaning meaning{
        .axis = toQt(isX ? m_chart.xTitle : m_chart.yTitle),
        .sentence = toQt(isX ? std::string_view(m_chart.xHelp) : metric(m_chart.metric).help)};
    for (const ScalingCurve& curve : m_chart.curves) {
        const std::optional<double> at =
            isX ? valueAt(curve, m_chart, tick.value) : firstAt(curve, m_chart, tick.value);
        if (at) {
            meaning.lines.push_back(
                {curveColour(curve, lightTheme()),
                 toQt(curve.title),
                 isX ? valueText(m_chart, *at)
                     : Charts::tr("first at %1 = %2")
                           .arg(toQt(m_chart.symbol), toQt(siText(*at)).trimmed())});
        }
    }
    return meaning;
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
