// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/present/table/study_tables.h"
#include "ui/charts/scaling/scaling_figure.h"
#include "ui/charts/scaling/scaling_painter.h"
#include "ui/charts/scaling/scaling_points.h"

#include <algorithm>

// A scaling figure's numbers, for files.
namespace flopsmith::ui {
namespace {

// A row per x: computed and measured values.
void addRows(FigureTable& table, const ScalingChart& chart, std::size_t curve)
{
    const std::vector<ScalingPoint>& points = chart.curves[curve].points;
    for (const double x : placesOf(chart, curve)) {
        const auto computed = std::find_if(
            points.begin(), points.end(), [x](const ScalingPoint& p) { return p.x == x; });
        QStringList row{toQt(chart.curves[curve].title), toQt(numberText(x))};
        row << (computed != points.end() ? toQt(numberText(computed->y)) : QString());
        if (chart.measured) {
            const MeasuredScalingPoint* point = measuredAt(chart, curve, x);
            for (double MeasuredScalingPoint::*number : {&MeasuredScalingPoint::seconds,
                                                         &MeasuredScalingPoint::madSeconds,
                                                         &MeasuredScalingPoint::flopsPerSecond}) {
                row << (point != nullptr ? toQt(numberText(point->*number)) : QString());
            }
        }
        table.rows.push_back(row);
    }
}

// Points in a plot with a single axis of numbers: shifted to the computed axis, as the name says.
PgfSeries measuredSeries(const ScalingChart& chart, std::size_t curve)
{
    const MeasuredScaling& measured = *chart.measured;
    PgfSeries series{.kind = curve % 2 == 0 ? PgfSeries::Kind::marks : PgfSeries::Kind::openMarks,
                     .name = chart.curves[curve].title + ", " + measured.title + " \xC3\x97 "
                         + siText(measured.factor)
                         + (measured.curves[curve].slopeText.empty()
                                ? std::string()
                                : ", slope " + measured.curves[curve].slopeText),
                     .rgb = lightTheme().text.rgb() & 0xFFFFFFU};
    for (const MeasuredScalingPoint& point : measured.curves[curve].points) {
        series.points.push_back({point.x, point.value * measured.factor});
    }
    return series;
}

} // namespace

const MeasuredScalingPoint* measuredAt(const ScalingChart& chart, std::size_t curve, double x)
{
    if (!chart.measured || curve >= chart.measured->curves.size()) {
        return nullptr;
    }
    const std::vector<MeasuredScalingPoint>& points = chart.measured->curves[curve].points;
    const auto found = std::find_if(
        points.begin(), points.end(), [x](const MeasuredScalingPoint& p) { return p.x == x; });
    return found == points.end() ? nullptr : &*found;
}

std::vector<double> placesOf(const ScalingChart& chart, std::size_t curve)
{
    std::vector<double> places;
    for (const ScalingPoint& point : chart.curves[curve].points) {
        places.push_back(point.x);
    }
    if (chart.measured && curve < chart.measured->curves.size()) {
        for (const MeasuredScalingPoint& point : chart.measured->curves[curve].points) {
            places.push_back(point.x);
        }
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

FigureTable ScalingFigure::table() const
{
    FigureTable table{.header = {QStringLiteral("variant"),
                                 toQt(m_chart.key),
                                 toQt(metric(m_chart.metric).name)}};
    if (m_chart.measured) {
        for (const MetricId id : {MetricId::time, MetricId::timeMad, MetricId::flopsPerSecond}) {
            table.header << toQt(metric(id).name);
        }
    }
    for (std::size_t i = 0; i < m_chart.curves.size(); ++i) {
        addRows(table, m_chart, i);
    }
    return table;
}

ChartTable ScalingFigure::shownTable() const
{
    return scalingTable(m_chart);
}

PgfPlot ScalingFigure::plot() const
{
    const auto base = [](AxisScale scale) {
        return scale == AxisScale::log2 ? 2 : scale == AxisScale::log10 ? 10 : 0;
    };
    PgfPlot plot{.x = {.label = m_chart.xTitle, .logBase = base(m_chart.xScale)},
                 .y = {.label = m_chart.yTitle, .logBase = base(m_chart.yScale)}};
    for (const ScalingCurve& curve : m_chart.curves) {
        PgfSeries series{.name =
                             curve.title + (curve.slopeText.empty() ? "" : ", " + curve.slopeText),
                         .dash = static_cast<PgfSeries::Dash>(curve.dash)};
        series.rgb = curveColour(curve, lightTheme()).rgb() & 0xFFFFFFU;
        for (const ScalingPoint& point : curve.points) {
            series.points.push_back({point.x, point.y});
        }
        plot.series.push_back(std::move(series));
    }
    for (std::size_t i = 0; m_chart.measured && i < m_chart.measured->curves.size(); ++i) {
        if (!m_chart.measured->curves[i].points.empty()) {
            plot.series.push_back(measuredSeries(m_chart, i));
        }
    }
    if (m_chart.marker) {
        plot.series.push_back({.kind = PgfSeries::Kind::marks,
                               .name = m_chart.marker->text,
                               .rgb = lightTheme().accent.rgb() & 0xFFFFFFU,
                               .points = {{m_chart.marker->x, m_chart.marker->y}}});
    }
    return plot;
}

} // namespace flopsmith::ui
