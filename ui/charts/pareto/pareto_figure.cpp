// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/pareto/pareto_figure.h"

#include "core/present/study/chart_texts.h"
#include "core/present/table/study_tables.h"
#include "ui/charts/pareto/pareto_painter.h"

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr double kReachOfDot = 14.0; ///< pixels, from which the pointer means a point

PgfAxis plottedGoal(const ParetoAxis& axis)
{
    const int base = axis.scale == AxisScale::log2 ? 2 : axis.scale == AxisScale::log10 ? 10 : 0;
    return {.label = axis.title, .logBase = base};
}

std::uint32_t paretoInk(const QColor& colour)
{
    return colour.rgb() & 0xFFFFFFU;
}

} // namespace

QString ParetoFigure::title() const
{
    return Charts::tr("%1 against %2, over %3")
        .arg(toQt(m_chart.y.metric), toQt(m_chart.x.metric), toQt(m_chart.parameters));
}

QString ParetoFigure::summary() const
{
    return emptyText().isEmpty() ? title() + QStringLiteral(": ") + toQt(m_chart.caption)
                                 : emptyText();
}

QString ParetoFigure::emptyText() const
{
    return toQt(m_chart.emptyText);
}

FigureTable ParetoFigure::table() const
{
    FigureTable table;
    for (const std::string& key : m_chart.keys) {
        table.header << toQt(key);
    }
    for (const ParetoGoal& goal : m_chart.goals) {
        table.header << toQt(metric(goal.metric).name);
    }
    table.header << QStringLiteral("pareto");
    for (const ParetoPoint& point : m_chart.points) {
        QStringList row;
        for (const FieldValue& value : point.at) {
            row << toQt(valueText(value));
        }
        for (const MetricValue& value : point.exact) {
            row << toQt(plainMetricText(value));
        }
        row << (point.onFront ? QStringLiteral("true") : QStringLiteral("false"));
        table.rows.push_back(row);
    }
    return table;
}

ChartTable ParetoFigure::shownTable() const
{
    return paretoTable(m_chart);
}

PgfPlot ParetoFigure::plot() const
{
    const Theme& theme = lightTheme();
    PgfSeries beaten{.kind = PgfSeries::Kind::openMarks,
                     .name = "beaten by another",
                     .rgb = paretoInk(theme.mutedText)};
    PgfSeries winners{
        .kind = PgfSeries::Kind::marks, .name = "beaten by none", .rgb = paretoInk(theme.accent)};
    PgfSeries staircase{.rgb = paretoInk(theme.accent)};
    for (const ParetoPoint& point : m_chart.points) {
        (point.onFront ? winners : beaten).points.push_back({point.x, point.y});
    }
    for (const ParetoPlace& step : m_chart.steps) {
        staircase.points.push_back({step.x, step.y});
    }
    PgfPlot plot{.x = plottedGoal(m_chart.x), .y = plottedGoal(m_chart.y)};
    plot.series = {beaten, staircase, winners};
    if (m_chart.present) {
        plot.series.push_back({.kind = PgfSeries::Kind::openMarks,
                               .name = "this design",
                               .rgb = paretoInk(theme.text),
                               .points = {{m_chart.present->x, m_chart.present->y}}});
    }
    return plot;
}

TickMeaning ParetoFigure::tickMeaning(const AxisTick& tick) const
{
    const bool isX = tick.side == AxisSide::x;
    const ParetoGoal& goal = m_chart.goals[isX ? 0 : 1];
    TickMeaning meaning{.axis = toQt(isX ? m_chart.x.title : m_chart.y.title),
                        .sentence = toQt(metric(goal.metric).help)};
    const auto better = std::ranges::count_if(m_chart.points, [&](const ParetoPoint& point) {
        const double value = isX ? point.x : point.y;
        return goal.better == Better::smaller ? value < tick.value : value > tick.value;
    });
    meaning.lines = {{{},
                      Charts::tr("better designs"),
                      Charts::tr("%1 of %2").arg(better).arg(m_chart.points.size())}};
    return meaning;
}

std::optional<HotspotDesign> ParetoFigure::design(int hotspot) const
{
    if (hotspot < 0 || hotspot >= static_cast<int>(m_chart.points.size())) {
        return std::nullopt;
    }
    const ParetoPoint& point = m_chart.points[static_cast<std::size_t>(hotspot)];
    return HotspotDesign{.keys = m_chart.keys, .values = point.at, .title = toQt(point.title)};
}

PlottedPicture ParetoFigure::picture(const QRectF& area, const ChartStyle& style) const
{
    const ParetoLayout layout = paretoLayout(m_chart, area, style);
    PlottedPicture picture{.area = layout.plot, .plot = paretoPlot(m_chart, layout, style)};
    drawPareto(picture.below, m_chart, layout, style);
    return picture;
}

std::vector<Hotspot> ParetoFigure::contentHotspots(const QRectF& area,
                                                   const ChartStyle& style) const
{
    const ParetoLayout layout = paretoLayout(m_chart, area, style);
    std::vector<Hotspot> hotspots;
    for (const ParetoPoint& point : m_chart.points) {
        Hotspot hotspot{.title = toQt(point.title)};
        hotspot.lines = {
            {QColor(), toQt(m_chart.x.metric), toQt(point.texts[0])},
            {QColor(), toQt(m_chart.y.metric), toQt(point.texts[1])},
            {QColor(),
             point.onFront ? Charts::tr("beaten by none") : Charts::tr("beaten by another"),
             QString()},
            {QColor(), Charts::tr("a click or Enter offers it"), QString()}};
        hotspot.anchor = layout.at(point.x, point.y);
        hotspots.push_back(std::move(hotspot));
    }
    return hotspots;
}

// The nearest one, if it is near.
int ParetoFigure::contentHotspotAt(QPointF place, const QRectF& area, const ChartStyle& style) const
{
    const ParetoLayout layout = paretoLayout(m_chart, area, style);
    double nearest = kReachOfDot;
    int hit = -1;
    for (std::size_t i = 0; i < m_chart.points.size(); ++i) {
        const QPointF way = layout.at(m_chart.points[i].x, m_chart.points[i].y) - place;
        const double distance = std::hypot(way.x(), way.y());
        if (distance < nearest) {
            nearest = distance;
            hit = static_cast<int>(i);
        }
    }
    return hit;
}

Drawing ParetoFigure::highlight(int hotspot, const QRectF& area, const ChartStyle& style) const
{
    const ParetoLayout layout = paretoLayout(m_chart, area, style);
    const ParetoPoint& point = m_chart.points.at(static_cast<std::size_t>(hotspot));
    QPainterPath ring;
    ring.addEllipse(layout.at(point.x, point.y), kWinnerDot, kWinnerDot);
    Drawing drawing;
    drawing.shapes.push_back({ring, QPen(style.theme.accent, 1.6), Qt::NoBrush});
    return drawing;
}

FigureResult paretoFigure(const FigureRequest& request)
{
    FLOPSMITH_TRY(const std::vector<Axis> axes, studyAxes(request));
    Result<ParetoChart> chart = paretoChart(request.scenario,
                                            {.goals = request.goals,
                                             .lens = request.lens,
                                             .axes = axes,
                                             .ties = request.ties,
                                             .on = metricHardware(request),
                                             .pairs = pairsOf(request),
                                             .scope = request.scope});
    return chart ? made<ParetoFigure>(std::move(chart).value()) : FigureResult(chart.error());
}

} // namespace flopsmith::ui
