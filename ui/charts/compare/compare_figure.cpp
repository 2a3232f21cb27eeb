// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/compare/compare_figure.h"

#include "core/base/text.h"
#include "core/present/table/cost_tables.h"

#include <algorithm>

namespace flopsmith::ui {
namespace {

// "llama-3-8b 15.0 TFLOPs, 51.5×"
QString barInWords(const ComparisonBar& bar)
{
    return toQt(bar.title + " " + bar.text + (bar.ratioText.empty() ? "" : ", " + bar.ratioText));
}

Hotspot hotspotOfDesign(const ComparisonBar& bar, const BarRow& row, const std::string& unit)
{
    Hotspot hotspot{.title = toQt(bar.title + ": " + groupedDigits(bar.count) + " " + unit
                                  + (bar.ratioText.empty() ? "" : ", " + bar.ratioText))};
    for (const ComparisonSegment& segment : bar.segments) {
        hotspot.lines.push_back({colour(*segment.component),
                                 toQt(segment.component->title),
                                 toQt(segment.text + ", " + segment.shareText)});
    }
    hotspot.anchor = row.rect.center();
    hotspot.keepClear = row.rect;
    return hotspot;
}

// For a component that the design may lack.
Count countOfComponent(const ComparisonBar& bar, const Component& component)
{
    for (const ComparisonSegment& segment : bar.segments) {
        if (segment.component->id == component.id) {
            return segment.count;
        }
    }
    return 0;
}

} // namespace

QString CompareFigure::title() const
{
    return toQt(m_chart.title);
}

QString CompareFigure::summary() const
{
    if (!emptyText().isEmpty()) {
        return emptyText();
    }
    QStringList parts;
    for (const ComparisonBar& bar : m_chart.bars) {
        parts << barInWords(bar);
    }
    return title() + QStringLiteral(": ") + parts.join(QStringLiteral("; "));
}

QString CompareFigure::emptyText() const
{
    const bool empty = std::all_of(m_chart.bars.begin(),
                                   m_chart.bars.end(),
                                   [](const ComparisonBar& bar) { return bar.count == 0; });
    return empty ? Charts::tr("This lens counts nothing here.") : QString();
}

FigureTable CompareFigure::table() const
{
    FigureTable table{.header = {QStringLiteral("design"),
                                 QStringLiteral("component"),
                                 QStringLiteral("title"),
                                 toQt(m_chart.key)}};
    for (const ComparisonBar& bar : m_chart.bars) {
        for (const ComparisonSegment& segment : bar.segments) {
            table.rows.push_back({toQt(bar.title),
                                  toQt(segment.component->id),
                                  toQt(segment.component->title),
                                  toQt(digits(segment.count))});
        }
    }
    return table;
}

ChartTable CompareFigure::shownTable() const
{
    return comparisonBarsTable(m_chart);
}

PgfPlot CompareFigure::plot() const
{
    PgfPlot plot{.x = {.label = m_chart.unit}};
    for (const ComparisonBar& bar : m_chart.bars) {
        plot.y.names.push_back(bar.title);
    }
    for (const ComparisonLegendEntry& entry : m_chart.legend) {
        PgfSeries series{.kind = PgfSeries::Kind::stackedBars,
                         .name = std::string(entry.component->title),
                         .rgb = entry.component->rgb};
        for (std::size_t i = 0; i < m_chart.bars.size(); ++i) {
            series.points.push_back({toDouble(countOfComponent(m_chart.bars[i], *entry.component)),
                                     static_cast<double>(i)});
        }
        plot.series.push_back(std::move(series));
    }
    return plot;
}

TickMeaning CompareFigure::tickMeaning(const AxisTick& tick) const
{
    TickMeaning meaning{.axis = toQt(m_chart.unit),
                        .sentence = Charts::tr("Operations of one pass of each design.")};
    for (const ComparisonBar& bar : m_chart.bars) {
        if (toDouble(bar.count) >= tick.value) {
            meaning.lines.push_back({{}, toQt(bar.title), toQt(bar.text)});
        }
    }
    return meaning;
}

Drawing CompareFigure::contentDrawing(const QRectF& area, const ChartStyle& style) const
{
    Drawing drawing;
    const BarChartLayout layout = compareLayout(m_chart, area, style);
    drawRows(drawing, layout, style);
    drawBelow(drawing, layout.below, style);
    return drawing;
}

std::vector<Hotspot> CompareFigure::contentHotspots(const QRectF& area,
                                                    const ChartStyle& style) const
{
    std::vector<Hotspot> hotspots;
    const BarChartLayout layout = compareLayout(m_chart, area, style);
    for (std::size_t i = 0; i < layout.rows.size(); ++i) {
        hotspots.push_back(hotspotOfDesign(m_chart.bars[i], layout.rows[i], m_chart.unit));
    }
    return hotspots;
}

FigureResult compareFigure(const FigureRequest& request)
{
    const std::size_t designs = 1 + request.others.size();
    if (designs < kFewestDesigns || designs > kMaxDesigns) {
        return Error{"a comparison shows " + std::to_string(kFewestDesigns) + " to "
                     + std::to_string(kMaxDesigns) + " designs, not " + std::to_string(designs)};
    }
    return made<CompareFigure>(
        comparisonChart(comparison(designsOf(request), request.lens, pairsOf(request))));
}

} // namespace flopsmith::ui
