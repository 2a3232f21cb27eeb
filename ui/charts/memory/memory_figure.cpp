// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/memory/memory_figure.h"

#include "core/base/text.h"
#include "core/present/table/cost_tables.h"

#include <algorithm>

namespace flopsmith::ui {
namespace {

QString shareText(Count part, Count whole)
{
    return toQt(percentText(whole > 0 ? toDouble(part) / toDouble(whole) : 0.0));
}

void drawLimit(Drawing& drawing,
               const MemoryLimit& limit,
               const MemoryLayout& layout,
               const ChartStyle& style)
{
    const QColor ink = limit.exceeded ? style.theme.negative : style.theme.accent;
    if (limit.bytes <= layout.axis.high) {
        const double x = layout.xOf(limit.bytes);
        QPen pen(ink, 1.4, Qt::CustomDashLine, Qt::FlatCap);
        pen.setDashPattern({3.0, 2.0});
        drawing.line({x, layout.plot.top() - 2.0}, {x, layout.plot.bottom()}, pen);
    }
    drawing.write(layout.limit.rect, layout.limit.text, style.font(kSmallTextSize), ink);
}

Hotspot hotspotOf(const MemoryBar& bar, const BarRow& row, Count whole)
{
    Hotspot hotspot{.title = toQt(bar.title) + QStringLiteral(": ")
                        + toQt(groupedDigits(bar.bytes) + " bytes, " + bar.shareText)};
    for (const BarPiece& piece : row.pieces) {
        hotspot.lines.push_back({colour(*piece.component),
                                 toQt(piece.component->title),
                                 toQt(bytesText(toDouble(piece.amount))) + QStringLiteral(", ")
                                     + shareText(piece.amount, whole)});
    }
    for (const MemoryGhost& ghost : bar.ghosts) {
        hotspot.lines.push_back({colour(*ghost.mark), toQt(ghost.title), toQt(ghost.text)});
    }
    hotspot.anchor = row.rect.center();
    hotspot.keepClear = row.rect;
    return hotspot;
}

// "everything 995 MB", followed by the memory of the compared designs.
QString memoryInWords(const MemoryBar& bar)
{
    QString text = toQt(bar.title + " " + bar.text);
    for (const MemoryGhost& ghost : bar.ghosts) {
        text += QStringLiteral("; ") + toQt(ghost.title + " " + ghost.text);
    }
    return text;
}

} // namespace

QString MemoryFigure::title() const
{
    return toQt(m_chart.title);
}

QString MemoryFigure::summary() const
{
    if (!emptyText().isEmpty()) {
        return emptyText();
    }
    QStringList parts{toQt(m_chart.heading)};
    for (const MemoryBar& bar : m_chart.bars) {
        parts << memoryInWords(bar);
    }
    if (m_chart.limit) {
        parts << limitText(*m_chart.limit);
    }
    return title() + QStringLiteral(": ") + parts.join(QStringLiteral(", "));
}

QString MemoryFigure::emptyText() const
{
    const bool empty = m_chart.bars.empty() || m_chart.bars.front().bytes == 0;
    return empty ? Charts::tr("This model needs no memory.") : QString();
}

FigureTable MemoryFigure::table() const
{
    FigureTable table{.header = {QStringLiteral("kind"),
                                 QStringLiteral("component"),
                                 QStringLiteral("title"),
                                 QStringLiteral("bytes")}};
    for (const MemoryBar& bar : m_chart.bars) {
        for (const MemorySegment& segment : bar.segments) {
            if (bar.kind) { // everything is the sum of the kinds
                table.rows.push_back({toQt(enumName(segment.kind)),
                                      toQt(segment.component->id),
                                      toQt(segment.component->title),
                                      toQt(digits(segment.bytes))});
            }
        }
        for (const MemoryGhost& ghost : bar.ghosts) {
            if (bar.kind) {
                table.rows.push_back({toQt(enumName(*bar.kind)),
                                      toQt(ghost.mark->id),
                                      toQt(ghost.title),
                                      toQt(digits(ghost.bytes))});
            }
        }
    }
    return table;
}

ChartTable MemoryFigure::shownTable() const
{
    return memoryTable(m_chart);
}

PgfPlot MemoryFigure::plot() const
{
    constexpr double kGigabyte = 1e9;
    PgfPlot plot{.x = {.label = "GB"}};
    if (m_chart.limit) {
        plot.x.label += " (" + m_chart.limit->text + ")";
    }
    for (const MemoryBar& bar : m_chart.bars) {
        plot.y.names.push_back(bar.title);
        for (const MemoryGhost& ghost : bar.ghosts) {
            plot.y.names.push_back(ghost.title);
        }
    }
    const std::size_t rows = 1 + m_chart.others.size(); // of a bar and its ghosts
    for (const MemoryLegendEntry& entry : m_chart.legend) {
        PgfSeries series{
            .kind = PgfSeries::Kind::stackedBars, .name = entry.title, .rgb = entry.component->rgb};
        for (std::size_t i = 0; i < m_chart.bars.size(); ++i) {
            double bytes = 0.0;
            for (const MemorySegment& segment : m_chart.bars[i].segments) {
                bytes +=
                    segment.component->id == entry.component->id ? toDouble(segment.bytes) : 0.0;
            }
            series.points.push_back({bytes / kGigabyte, static_cast<double>(i * rows)});
        }
        plot.series.push_back(std::move(series));
    }
    for (std::size_t design = 0; design < m_chart.others.size(); ++design) {
        const MemoryLegendEntry& other = m_chart.others[design];
        PgfSeries series{
            .kind = PgfSeries::Kind::stackedBars, .name = other.title, .rgb = other.component->rgb};
        for (std::size_t i = 0; i < m_chart.bars.size(); ++i) {
            series.points.push_back({toDouble(m_chart.bars[i].ghosts.at(design).bytes) / kGigabyte,
                                     static_cast<double>(i * rows + 1 + design)});
        }
        plot.series.push_back(std::move(series));
    }
    return plot;
}

std::optional<FigureKind> MemoryFigure::kindOf(int hotspot) const
{
    const std::optional<MemoryKind> kind = m_chart.bars.at(static_cast<std::size_t>(hotspot)).kind;
    return kind ? figureKindOf(*kind) : FigureKind::memory;
}

TickMeaning MemoryFigure::tickMeaning(const AxisTick& tick) const
{
    TickMeaning meaning{.axis = Charts::tr("memory"),
                        .sentence = Charts::tr("Bytes that a device holds of each kind.")};
    for (const MemoryBar& bar : m_chart.bars) {
        if (toDouble(bar.bytes) >= tick.value) {
            meaning.lines.push_back({{}, toQt(bar.title), toQt(bar.text)});
        }
    }
    return meaning;
}

Drawing MemoryFigure::contentDrawing(const QRectF& area, const ChartStyle& style) const
{
    Drawing drawing;
    const MemoryLayout layout = memoryLayout(m_chart, area, style);
    drawing.write(layout.heading,
                  toQt(m_chart.heading),
                  style.font(kRowTextSize, QFont::DemiBold),
                  style.theme.text);
    drawRows(drawing, layout, style);
    if (m_chart.limit) {
        drawLimit(drawing, *m_chart.limit, layout, style);
    }
    drawBelow(drawing, layout.below, style);
    return drawing;
}

std::vector<Hotspot> MemoryFigure::contentHotspots(const QRectF& area,
                                                   const ChartStyle& style) const
{
    std::vector<Hotspot> hotspots;
    const MemoryLayout layout = memoryLayout(m_chart, area, style);
    for (std::size_t i = 0; i < layout.rows.size(); ++i) {
        hotspots.push_back(hotspotOf(m_chart.bars[i], layout.rows[i], m_chart.bars.front().bytes));
    }
    return hotspots;
}

std::vector<ChartPlace> MemoryFigure::contentPlaces(const QRectF& area,
                                                    const ChartStyle& style) const
{
    std::vector<ChartPlace> places;
    const MemoryLayout layout = memoryLayout(m_chart, area, style);
    for (std::size_t i = 0; i < layout.rows.size(); ++i) {
        for (const BarPiece& piece : layout.rows[i].pieces) {
            places.push_back({.component = piece.component,
                              .hotspot = static_cast<int>(i),
                              .becomesPaler = true});
            places.back().outline.addRect(piece.rect);
        }
    }
    return places;
}

FigureResult memoryFigure(const FigureRequest& request)
{
    return made<MemoryFigure>(memoryChart(
        request.scenario, request.hardware ? &*request.hardware : nullptr, request.others));
}

} // namespace flopsmith::ui
