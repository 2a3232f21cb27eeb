// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/lab/lab_figure.h"

#include "core/base/text.h"
#include "core/present/table/lab_tables.h"
#include "ui/charts/lab/lab_painter.h"

namespace flopsmith::ui {
namespace {

QString shownNumber(double value)
{
    return QString::number(value, 'g', 4);
}

// The point that represents a curve in a word: its end, or for rates the one that the seeds have.
const LabChartPoint& mainPoint(const LabSeries& series)
{
    return series.points[series.best.value_or(series.points.size() - 1)];
}

} // namespace

LabFigure::LabFigure(LabChart chart)
    : m_chart(std::move(chart))
{
    provenance.model = toQt(m_chart.setting);
    provenance.device = toQt(m_chart.machine);
}

QString LabFigure::title() const
{
    return toQt(m_chart.title);
}

QString LabFigure::summary() const
{
    if (!emptyText().isEmpty()) {
        return emptyText();
    }
    QStringList parts{title()};
    for (const LabSeries& series : m_chart.series) {
        const QString reached =
            series.text.empty() ? shownNumber(mainPoint(series).y) : toQt(series.text);
        parts << toQt(series.name) + QStringLiteral(" ") + reached;
    }
    return parts.join(QStringLiteral(", "));
}

QString LabFigure::emptyText() const
{
    return toQt(m_chart.emptyText);
}

PlottedPicture LabFigure::picture(const QRectF& area, const ChartStyle& style) const
{
    const LabLayout layout = labLayout(m_chart, area, style);
    PlottedPicture picture{.area = layout.plot, .plot = labPlot(m_chart, layout, style)};
    drawLab(picture.below, m_chart, layout, style);
    return picture;
}

// One for each arm, at its name.
std::vector<Hotspot> LabFigure::contentHotspots(const QRectF& area, const ChartStyle& style) const
{
    const LabLayout layout = labLayout(m_chart, area, style);
    std::vector<Hotspot> hotspots;
    for (std::size_t i = 0; i < m_chart.series.size(); ++i) {
        const LabSeries& series = m_chart.series[i];
        const LabChartPoint& point = mainPoint(series);
        Hotspot hotspot{.title = toQt(series.name),
                        .meaning = toQt(m_chart.caption),
                        .anchor = layout.names[i].rect.center(),
                        .keepClear = layout.names[i].rect};
        const bool isBars = m_chart.kind == LabChartKind::bars;
        const QColor colour = labColour(series, style.theme);
        if (isBars) {
            hotspot.lines.push_back({colour, toQt(m_chart.xTitle), toQt(series.text)});
        } else {
            hotspot.lines.push_back({colour, toQt(m_chart.yTitle), shownNumber(point.y)});
            const bool isRate = m_chart.kind == LabChartKind::rates;
            hotspot.lines.push_back(
                {{}, toQt(m_chart.xTitle), isRate ? shownNumber(point.x) : toQt(siText(point.x))});
        }
        hotspots.push_back(std::move(hotspot));
    }
    return hotspots;
}

// On the way along a curve to the value: of the other axis.
TickMeaning LabFigure::tickMeaning(const AxisTick& tick) const
{
    const bool isX = tick.side == AxisSide::x;
    TickMeaning meaning{.axis = toQt(isX ? m_chart.xTitle : m_chart.yTitle),
                        .sentence = toQt(m_chart.caption)};
    const AxisScale x = m_chart.isLogX ? AxisScale::log10 : AxisScale::linear;
    for (const LabSeries& series : m_chart.series) {
        std::vector<LinePlace> line;
        for (const LabChartPoint& point : series.points) {
            line.push_back(isX ? LinePlace{point.x, point.y} : LinePlace{point.y, point.x});
        }
        const std::optional<double> at =
            crossing(line, isX ? x : AxisScale::linear, isX ? AxisScale::linear : x, tick.value);
        if (at && m_chart.kind != LabChartKind::bars) {
            meaning.lines.push_back(
                {labColour(series, lightTheme()),
                 toQt(series.name),
                 isX ? shownNumber(*at)
                     : Charts::tr("first at %1").arg(toQt(siText(*at)).trimmed())});
        }
    }
    return meaning;
}

FigureTable LabFigure::table() const
{
    const bool isBars = m_chart.kind == LabChartKind::bars;
    FigureTable table{.header = {QStringLiteral("arm"),
                                 toQt(m_chart.xTitle),
                                 isBars ? QStringLiteral("rank") : toQt(m_chart.yTitle),
                                 QStringLiteral("low"),
                                 QStringLiteral("high")}};
    for (const LabSeries& series : m_chart.series) {
        for (const LabChartPoint& point : series.points) {
            table.rows.push_back({toQt(series.name),
                                  toQt(numberText(point.x)),
                                  toQt(numberText(isBars ? point.y + 1.0 : point.y)),
                                  toQt(numberText(point.low)),
                                  toQt(numberText(point.high))});
        }
    }
    return table;
}

ChartTable LabFigure::shownTable() const
{
    return labTable(m_chart);
}

PgfPlot LabFigure::plot() const
{
    PgfPlot plot{.x = {.label = m_chart.xTitle, .logBase = m_chart.isLogX ? 10 : 0},
                 .y = {.label = m_chart.yTitle}};
    for (const LabSeries& series : m_chart.series) {
        const bool isMeans = m_chart.kind == LabChartKind::bars;
        PgfSeries drawn{.kind = isMeans ? PgfSeries::Kind::marks : PgfSeries::Kind::line,
                        .name = series.name + (series.text.empty() ? "" : ", " + series.text),
                        .dash = series.role == ArmRole::chosen ? PgfSeries::Dash::solid
                                                               : PgfSeries::Dash::dashed};
        drawn.rgb = labColour(series, lightTheme()).rgb() & 0xFFFFFFU;
        for (const LabChartPoint& point : series.points) {
            drawn.points.push_back({point.x, isMeans ? -point.y : point.y});
        }
        plot.series.push_back(std::move(drawn));
    }
    return plot;
}

} // namespace flopsmith::ui
