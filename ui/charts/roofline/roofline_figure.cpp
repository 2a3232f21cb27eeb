// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/roofline/roofline_figure.h"

#include "core/base/text.h"
#include "core/present/table/time_tables.h"
#include "ui/charts/roofline/roofline_painter.h"
#include "ui/charts/roofline/roofline_plot.h"
#include "ui/charts/roofline/roofline_texts.h"

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

QString originName(Origin origin)
{
    return origin == Origin::computed ? QStringLiteral("computed") : QStringLiteral("measured");
}

Hotspot hotspotOf(const RooflinePoint& point, const RooflineLayout::Dot& dot)
{
    const bool computed = point.origin == Origin::computed;
    Hotspot hotspot{.title = toQt(point.title)};
    hotspot.lines = {
        {colour(*point.component),
         computed ? Charts::tr("at least") : Charts::tr("measured"),
         toQt(durationText(point.seconds))},
        {{}, rooflineShareTitle(point.origin), toQt(percentText(point.share.value_or(0.0)))},
        {{}, Charts::tr("FLOPs per byte"), toQt(siText(point.at.intensity))},
        {{}, Charts::tr("FLOP/s"), toQt(siText(point.at.flopsPerSecond))},
        {{}, Charts::tr("bound by"), toQt(enumName(point.binding))}};
    if (!point.share) { // of a design, which is no part of another, or while parts are missing
        hotspot.lines.erase(hotspot.lines.begin() + 1);
    }
    hotspot.anchor = dot.centre;
    const double reach = dot.radius + 2.0;
    hotspot.keepClear =
        QRectF(dot.centre.x() - reach, dot.centre.y() - reach, 2 * reach, 2 * reach);
    return hotspot;
}

} // namespace

QString RooflineFigure::title() const
{
    return toQt(m_chart.title);
}

QString RooflineFigure::summary() const
{
    if (!emptyText().isEmpty()) {
        return emptyText();
    }
    QStringList parts{toQt(m_chart.boundText)};
    for (const RooflinePoint& point : m_chart.points) {
        if (point.labelled) {
            parts << toQt(point.title + " " + percentText(point.share.value_or(0.0)))
                    + QLatin1Char(' ') + rooflineShareTitle(point.origin);
        } else if (point.isDesign) {
            parts << toQt(point.title + " at least " + durationText(point.seconds));
        }
    }
    return title() + QStringLiteral(": ") + parts.join(QStringLiteral(", "));
}

QString RooflineFigure::emptyText() const
{
    return m_chart.empty() ? toQt(m_chart.emptyText) : QString();
}

FigureTable RooflineFigure::table() const
{
    FigureTable table;
    for (const char* name : {"operation",
                             "component",
                             "origin",
                             "flops_per_byte",
                             "flops_per_second",
                             "seconds",
                             "share",
                             "bound_by"}) {
        table.header << QLatin1String(name);
    }
    for (const RooflinePoint& point : m_chart.points) {
        table.rows.push_back({toQt(point.title),
                              toQt(point.component->id),
                              originName(point.origin),
                              toQt(numberText(point.at.intensity)),
                              toQt(numberText(point.at.flopsPerSecond)),
                              toQt(numberText(point.seconds)),
                              point.share ? toQt(numberText(*point.share)) : QString(),
                              toQt(enumName(point.binding))});
    }
    return table;
}

ChartTable RooflineFigure::shownTable() const
{
    return rooflineTable(m_chart);
}

TickMeaning RooflineFigure::tickMeaning(const AxisTick& tick) const
{
    const Peaks& peaks = m_chart.peaks;
    if (tick.side == AxisSide::x) {
        const double slope = tick.value * peaks.bytesPerSecond;
        const bool isMemory = slope < peaks.flopsPerSecond;
        return {.axis = toQt(m_chart.xTitle),
                .sentence = Charts::tr("How much is computed with each byte that is moved."),
                .lines = {{{},
                           Charts::tr("roof: intensity \u00D7 bandwidth, at most the peak"),
                           toQt(rateText(std::min(slope, peaks.flopsPerSecond), "FLOP/s"))},
                          {{},
                           Charts::tr("bound by"),
                           isMemory ? Charts::tr("memory") : Charts::tr("compute")}}};
    }
    TickMeaning meaning{.axis = toQt(m_chart.yTitle),
                        .sentence = Charts::tr("How fast an operation computes.")};
    const double needed = tick.value / peaks.bytesPerSecond;
    meaning.lines = {{{},
                      Charts::tr("reachable from"),
                      tick.value > peaks.flopsPerSecond
                          ? Charts::tr("nowhere: the peak is %1")
                                .arg(toQt(rateText(peaks.flopsPerSecond, "FLOP/s")))
                          : Charts::tr("%1 FLOPs per byte").arg(toQt(siText(needed)).trimmed())}};
    return meaning;
}

PgfPlot RooflineFigure::plot() const
{
    PgfPlot plot{.x = {.label = m_chart.xTitle, .logBase = 10},
                 .y = {.label = m_chart.yTitle, .logBase = 10}};
    if (m_chart.empty()) {
        return plot;
    }
    PgfSeries roof{.name = m_chart.peakText + ", " + m_chart.bandwidthText};
    for (const RooflinePlace& corner : m_chart.roof(m_chart.xAxis(8))) {
        roof.points.push_back({corner.intensity, corner.flopsPerSecond});
    }
    if (m_chart.roofOrigin == Origin::measured) {
        roof.dash = PgfSeries::Dash::dashed;
    }
    plot.series = {roof};
    for (const RooflineCeiling& ceiling : m_chart.ceilings) {
        PgfSeries line{
            .name = ceiling.text + ", measured", .rgb = 0x666666, .dash = PgfSeries::Dash::dashed};
        for (const RooflinePlace& end : m_chart.line(ceiling, m_chart.xAxis(8))) {
            line.points.push_back({end.intensity, end.flopsPerSecond});
        }
        if (!line.points.empty()) {
            plot.series.push_back(std::move(line));
        }
    }
    for (const RooflinePoint& point : m_chart.points) {
        const bool computed = point.origin == Origin::computed;
        const auto kind = computed ? PgfSeries::Kind::openMarks : PgfSeries::Kind::marks;
        const std::string name = point.isDesign
            ? point.title
            : std::string(point.component->title) + (computed ? "" : ", measured");
        auto series = std::find_if(plot.series.begin(), plot.series.end(), [&](const auto& each) {
            return each.kind == kind && each.name == name;
        });
        if (series == plot.series.end()) {
            plot.series.push_back({.kind = kind, .name = name, .rgb = point.component->rgb});
            series = std::prev(plot.series.end());
        }
        series->points.push_back({point.at.intensity, point.at.flopsPerSecond});
    }
    return plot;
}

std::optional<FigureKind> RooflineFigure::kindOf(int hotspot) const
{
    const RooflinePoint& point = m_chart.points.at(static_cast<std::size_t>(hotspot));
    if (point.isDesign) {
        return std::nullopt;
    }
    return point.origin == Origin::computed ? FigureKind::leastTime : FigureKind::measuredTime;
}

PlottedPicture RooflineFigure::picture(const QRectF& area, const ChartStyle& style) const
{
    const RooflineLayout layout = rooflineLayout(m_chart, area, style);
    PlottedPicture picture{.area = layout.plot, .plot = rooflinePlot(m_chart, layout, style)};
    drawRoofline(picture, m_chart, layout, style);
    return picture;
}

std::vector<Hotspot> RooflineFigure::contentHotspots(const QRectF& area,
                                                     const ChartStyle& style) const
{
    std::vector<Hotspot> hotspots;
    const RooflineLayout layout = rooflineLayout(m_chart, area, style);
    for (std::size_t i = 0; i < layout.dots.size(); ++i) {
        hotspots.push_back(hotspotOf(m_chart.points[i], layout.dots[i]));
    }
    return hotspots;
}

std::vector<ChartPlace> RooflineFigure::contentPlaces(const QRectF& area,
                                                      const ChartStyle& style) const
{
    constexpr double kBeyond = 2.5; // the dot's edge
    const RooflineLayout layout = rooflineLayout(m_chart, area, style);
    std::vector<ChartPlace> places;
    for (std::size_t i = 0; i < layout.dots.size(); ++i) {
        const RooflinePoint& point = m_chart.points[i];
        const double reach = layout.dots[i].radius + kBeyond;
        places.push_back(
            {.component = point.component, .paths = point.paths, .hotspot = static_cast<int>(i)});
        places.back().outline.addEllipse(layout.dots[i].centre, reach, reach);
    }
    return places;
}

// The nearest centre, as dots lie over one another.
int RooflineFigure::contentHotspotAt(QPointF place,
                                     const QRectF& area,
                                     const ChartStyle& style) const
{
    constexpr double kReach = 4.0; // beyond the edge
    const RooflineLayout layout = rooflineLayout(m_chart, area, style);
    int nearest = -1;
    double minDistance = 1e9;
    for (std::size_t i = 0; i < layout.dots.size(); ++i) {
        const QPointF way = place - layout.dots[i].centre;
        const double distance = std::hypot(way.x(), way.y());
        if (distance <= layout.dots[i].radius + kReach && distance < minDistance) {
            nearest = static_cast<int>(i);
            minDistance = distance;
        }
    }
    return nearest;
}

Drawing RooflineFigure::highlight(int hotspot, const QRectF& area, const ChartStyle& style) const
{
    const QRectF around =
        contentHotspots(area, style).at(static_cast<std::size_t>(hotspot)).keepClear;
    Drawing drawing;
    drawing.outline(
        around.adjusted(-1, -1, 1, 1), around.width() / 2 + 1, QPen(style.theme.accent, 1.4));
    return drawing;
}

FigureResult rooflineFigure(const FigureRequest& request)
{
    if (!request.hardware) {
        return Error{"a roofline needs a device"};
    }
    FLOPSMITH_TRY(const HardwarePeak on,
                  hardwarePeak(*request.hardware, request.scenario.workload.precision));
    const bool alone = request.others.empty();
    return withTree(request, [&](const CostTree<Count>& tree) {
        RooflineChart chart = rooflineChart(request.scenario,
                                            tree,
                                            request.lens,
                                            on,
                                            RequestParts(request),
                                            alone ? request.times : std::vector<PartTime>{},
                                            alone && request.machine ? &*request.machine : nullptr);
        if (!alone) {
            addDesigns(
                chart, *request.hardware, designsOf(request), request.lens, pairsOf(request));
        }
        return made<RooflineFigure>(std::move(chart));
    });
}

} // namespace flopsmith::ui
