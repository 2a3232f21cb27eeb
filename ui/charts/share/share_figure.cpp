// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/share/share_figure.h"

#include "core/base/text.h"
#include "core/present/table/cost_tables.h"
#include "core/present/time/folded_stages.h"
#include "ui/charts/share/legend_painter.h"
#include "ui/charts/share/share_layout.h"
#include "ui/charts/share/share_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace flopsmith::ui {
namespace {

/// The donut and slice of a hotspot. Each donut has a hotspot for the whole and then one for each
/// slice.
struct HotspotAddress
{
    std::size_t donut = 0;
    int slice = -1; ///< -1: the whole
};

std::vector<HotspotAddress> addresses(const Donuts& donuts)
{
    std::vector<HotspotAddress> all;
    for (std::size_t i = 0; i < donuts.size(); ++i) {
        for (int slice = -1; slice < static_cast<int>(donuts[i].slices.size()); ++slice) {
            all.push_back({i, slice});
        }
    }
    return all;
}

void addFailure(Hotspot& hotspot, const Donut& donut)
{
    if (!donut.failure.empty()) {
        hotspot.lines.push_back({{}, toQt(donut.failure), {}});
    }
}

Hotspot wholeHotspot(const Donut& donut)
{
    Hotspot hotspot{.title = toQt(donut.title)};
    if (donut.empty()) {
        hotspot.lines.push_back({{}, toQt(donut.emptyText), {}});
        addFailure(hotspot, donut);
        return hotspot;
    }
    const QString figure = toQt(donut.figure + " " + donut.unit);
    if (!donut.isComplete) {
        hotspot.lines.push_back({{}, Charts::tr("measured"), figure});
    } else {
        const bool counted = donut.origin != Origin::measured;
        const QString exact = counted ? toQt(groupedDigits(donut.count)) : figure;
        hotspot.lines.push_back({{}, Charts::tr("in all"), exact});
    }
    if (!donut.rangeText.empty()) {
        hotspot.lines.push_back({{}, Charts::tr("repeated"), toQt(donut.rangeText)});
    }
    if (!donut.note.empty()) {
        hotspot.lines.push_back({{}, toQt(donut.note), {}});
    }
    addFailure(hotspot, donut);
    return hotspot;
}

// With its share if the whole is known.
std::string valueText(const Donut& donut, const Slice& slice)
{
    if (donut.isComplete && !slice.isPart) {
        return slice.valueText + " \xC2\xB7 " + percentText(slice.share);
    }
    return slice.valueText + (slice.isPart ? " so far" : "");
}

Hotspot sliceHotspot(const Donuts& donuts, const Slice& chosen)
{
    Hotspot hotspot{.title = toQt(chosen.title)};
    for (const Donut& donut : donuts) {
        if (const Slice* slice = donut.slice(*chosen.component)) {
            hotspot.lines.push_back(
                {colour(*chosen.component), toQt(donut.title), toQt(valueText(donut, *slice))});
        }
    }
    hotspot.lines.push_back({{}, Charts::tr("exactly"), toQt(chosen.exactText)});
    return hotspot;
}

// "≈ 5.23 s, 4.10 s to 6.50 s"
QString wholeText(const Donut& donut)
{
    if (donut.empty()) {
        return toQt(donut.emptyText);
    }
    const std::string range = donut.rangeText.empty() ? "" : ", " + donut.rangeText;
    return toQt(donut.figure + " " + donut.unit + range);
}

std::string shareInWords(const Donut& donut, const Slice& slice)
{
    return donut.isComplete && !slice.isPart ? percentText(slice.share) : valueText(donut, slice);
}

// The slice at an angle; -1 in the gap.
int sliceAt(const Donut& donut, double degreesClockwise)
{
    double end = 0.0;
    for (std::size_t i = 0; i < donut.slices.size(); ++i) {
        end += 360.0 * donut.slices[i].share;
        if (degreesClockwise < end) {
            return static_cast<int>(i);
        }
    }
    return donut.isComplete ? static_cast<int>(donut.slices.size()) - 1 : -1;
}

} // namespace

QString ShareFigure::title() const
{
    return Charts::tr("Share of each component");
}

QString ShareFigure::summary() const
{
    QStringList parts;
    for (const Donut& donut : m_donuts) {
        QStringList slices;
        for (const Slice& slice : donut.slices) {
            slices << toQt(slice.title + " " + shareInWords(donut, slice));
        }
        parts << toQt(donut.title) + QStringLiteral(": ") + wholeText(donut)
                + (slices.isEmpty() ? QString()
                                    : QStringLiteral("; ") + slices.join(QStringLiteral(", ")));
    }
    return parts.join(QStringLiteral(". "));
}

QString ShareFigure::emptyText() const
{
    return m_donuts.empty() ? Charts::tr("There is no model to show.") : QString();
}

FigureTable ShareFigure::table() const
{
    FigureTable table{.header = {QStringLiteral("component"), QStringLiteral("title")}};
    for (const Donut& donut : m_donuts) {
        table.header << toQt(donut.key) << toQt(donut.key + "_share");
    }
    for (const LegendRow& row : legendRows(m_donuts)) {
        QStringList cells{toQt(row.component->id), toQt(row.title)};
        for (const Donut& donut : m_donuts) {
            const Slice* slice = donut.slice(*row.component);
            const bool counted = donut.origin != Origin::measured;
            // A time that is not measured yet is not zero, and neither is a part of it.
            const QString none =
                donut.isComplete && !donut.empty() ? QStringLiteral("0") : QString();
            const bool hasValue = slice != nullptr && !slice->isPart;
            cells << (!hasValue     ? none
                          : counted ? toQt(digits(slice->count))
                                    : toQt(numberText(slice->value)));
            cells << (hasValue && donut.isComplete ? toQt(numberText(slice->share)) : none);
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

std::optional<FigureKind> ShareFigure::kindOf(int hotspot) const
{
    const std::size_t index = addresses(m_donuts).at(static_cast<std::size_t>(hotspot)).donut;
    const Donut& donut = m_donuts[index];
    if (index > 0 && !donut.brief.empty()) {
        return std::nullopt; // another design
    }
    return donut.key == "seconds"   ? FigureKind::measuredTime
        : donut.key == "parameters" ? FigureKind::parameters
        : donut.key == "bytes"      ? FigureKind::moved
                                    : FigureKind::flops;
}

ChartTable ShareFigure::shownTable() const
{
    return shareTable(m_donuts);
}

// A bar per whole, cut into its components.
PgfPlot ShareFigure::plot() const
{
    PgfPlot plot{.x = {.label = "share (%)"}};
    for (const Donut& donut : m_donuts) {
        plot.y.names.push_back(donut.title + (donut.figure.empty() ? "" : ": ") + donut.figure
                               + (donut.unit.empty() ? "" : " ") + donut.unit);
    }
    for (const LegendRow& row : legendRows(m_donuts)) {
        PgfSeries series{
            .kind = PgfSeries::Kind::stackedBars, .name = row.title, .rgb = row.component->rgb};
        for (std::size_t i = 0; i < m_donuts.size(); ++i) {
            const Slice* slice = m_donuts[i].slice(*row.component);
            series.points.push_back(
                {slice == nullptr ? 0.0 : 100.0 * slice->share, static_cast<double>(i)});
        }
        plot.series.push_back(std::move(series));
    }
    return plot;
}

Drawing ShareFigure::contentDrawing(const QRectF& area, const ChartStyle& style) const
{
    const std::vector<LegendRow> rows = legendRows(m_donuts);
    const ShareLayout layout = shareLayout(m_donuts, rows, area, style);
    Drawing drawing;
    for (std::size_t i = 0; i < m_donuts.size(); ++i) {
        drawDonut(drawing, m_donuts[i], rows, layout.donuts[i], style);
    }
    drawLegend(drawing, m_donuts, rows, layout.legend, style);
    return drawing;
}

std::vector<Hotspot> ShareFigure::contentHotspots(const QRectF& area, const ChartStyle& style) const
{
    const ShareLayout layout = shareLayout(m_donuts, legendRows(m_donuts), area, style);
    std::vector<Hotspot> hotspots;
    for (const HotspotAddress& address : addresses(m_donuts)) {
        const Donut& donut = m_donuts[address.donut];
        const DonutPlace& place = layout.donuts[address.donut];
        if (address.slice < 0) {
            hotspots.push_back(wholeHotspot(donut));
            hotspots.back().anchor = place.centre;
            continue;
        }
        const auto slice = static_cast<std::size_t>(address.slice);
        const Arc arc = arcs(donut)[slice];
        hotspots.push_back(sliceHotspot(m_donuts, donut.slices[slice]));
        hotspots.back().anchor =
            onCircle(place.centre, arc.start + arc.span / 2, (place.radius + place.hole) / 2);
    }
    return hotspots;
}

std::vector<ChartPlace> ShareFigure::contentPlaces(const QRectF& area,
                                                   const ChartStyle& style) const
{
    const ShareLayout layout = shareLayout(m_donuts, legendRows(m_donuts), area, style);
    const std::vector<HotspotAddress> all = addresses(m_donuts);
    std::vector<ChartPlace> places;
    for (std::size_t hotspot = 0; hotspot < all.size(); ++hotspot) {
        if (all[hotspot].slice < 0) {
            continue; // the whole
        }
        const DonutPlace& donut = layout.donuts[all[hotspot].donut];
        const auto slice = static_cast<std::size_t>(all[hotspot].slice);
        const Arc arc = arcs(m_donuts[all[hotspot].donut])[slice];
        const Slice& shown = m_donuts[all[hotspot].donut].slices[slice];
        places.push_back({.outline = ringPart(donut, arc, donut.hole, donut.radius),
                          .component = shown.component,
                          .paths = shown.paths,
                          .hotspot = static_cast<int>(hotspot),
                          .becomesPaler = true});
    }
    return places;
}

int ShareFigure::contentHotspotAt(QPointF place, const QRectF& area, const ChartStyle& style) const
{
    const ShareLayout layout = shareLayout(m_donuts, legendRows(m_donuts), area, style);
    int first = 0;
    for (std::size_t i = 0; i < m_donuts.size(); ++i) {
        const QPointF offset = place - layout.donuts[i].centre;
        const double distance = std::hypot(offset.x(), offset.y());
        if (distance <= layout.donuts[i].radius + 2.0) {
            const double clockwise = std::atan2(offset.x(), -offset.y()) * 180.0 / std::numbers::pi;
            const bool whole = distance < layout.donuts[i].hole || m_donuts[i].empty();
            return whole
                ? first
                : first + 1 + sliceAt(m_donuts[i], clockwise < 0.0 ? clockwise + 360.0 : clockwise);
        }
        first += 1 + static_cast<int>(m_donuts[i].slices.size());
    }
    return -1;
}

Drawing ShareFigure::highlight(int hotspot, const QRectF& area, const ChartStyle& style) const
{
    const HotspotAddress address = addresses(m_donuts).at(static_cast<std::size_t>(hotspot));
    const ShareLayout layout = shareLayout(m_donuts, legendRows(m_donuts), area, style);
    const DonutPlace& place = layout.donuts[address.donut];
    Drawing drawing;
    QPainterPath path;
    if (address.slice < 0) {
        path.addEllipse(circle(place.centre, place.hole - 2.0));
    } else {
        const Arc arc = arcs(m_donuts[address.donut])[static_cast<std::size_t>(address.slice)];
        path = ringPart(place, arc, place.hole, place.radius);
    }
    const QPen pen(style.theme.text, address.slice < 0 ? 1.0 : 2.0);
    drawing.shapes.push_back({path, pen, Qt::NoBrush});
    return drawing;
}

FigureResult shareFigure(const FigureRequest& request)
{
    if (!request.others.empty()) {
        return made<ShareFigure>(
            comparedDonuts(designsOf(request), request.lens, pairsOf(request)));
    }
    return withTree(request, [&request](const CostTree<Count>& tree) {
        Donuts donuts = usualDonuts(request.scenario,
                                    tree,
                                    request.lens,
                                    RequestParts(request),
                                    request.times,
                                    request.device,
                                    request.machine,
                                    request.measuredAs);
        if (request.scope.isModel()) { // where their stages are folded
            nameComposedFfns(donuts, request.scenario.model);
        }
        return made<ShareFigure>(std::move(donuts));
    });
}

} // namespace flopsmith::ui
