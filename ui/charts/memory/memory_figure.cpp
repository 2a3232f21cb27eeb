// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/memory/memory_figure.h"

#include "core/base/text.h"

#include <QPainter>

#include <algorithm>

namespace flopsmith::ui {
namespace {

QString shareText(Count part, Count whole)
{
    return toQt(percentText(whole > 0 ? toDouble(part) / toDouble(whole) : 0.0));
}

/// Draws the bars over their grid, the limit over the bars, legend and notes.
class MemoryPainter
{
public:
    MemoryPainter(Drawing& drawing,
                  const MemoryChart& chart,
                  const MemoryLayout& layout,
                  const ChartStyle& style)
        : m_drawing(drawing)
        , m_chart(chart)
        , m_layout(layout)
        , m_style(style)
        , m_theme(style.theme)
    {}

    void paint()
    {
        m_drawing.write(m_layout.heading,
                        toQt(m_chart.heading),
                        m_style.font(kRowTextSize, QFont::DemiBold),
                        m_theme.text);
        addTicks();
        for (std::size_t i = 0; i < m_layout.rows.size(); ++i) {
            addRow(m_chart.bars[i], m_layout.rows[i]);
        }
        if (m_chart.limit) {
            addLimit(*m_chart.limit);
        }
        drawFlowLegend(m_drawing, m_layout.legend, m_style);
        for (std::size_t i = 0; i < m_layout.notes.size(); ++i) {
            m_drawing.write(m_layout.notes[i],
                            m_layout.noteLines.at(static_cast<qsizetype>(i)),
                            m_style.font(kSmallTextSize),
                            m_theme.mutedText);
        }
    }

private:
    void addTicks()
    {
        const QFont font = m_style.font(kSmallTextSize);
        for (const Tick& tick : m_layout.axis.ticks) {
            const double x = m_layout.xOf(tick.value);
            const double width = textWidth(font, toQt(tick.label));
            m_drawing.line(
                {x, m_layout.plot.top()}, {x, m_layout.plot.bottom()}, QPen(m_theme.grid, 1.0));
            m_drawing.write({x - width / 2, m_layout.ticks.top(), width, m_layout.ticks.height()},
                            toQt(tick.label),
                            font,
                            m_theme.mutedText,
                            Qt::AlignCenter);
        }
    }

    void addRow(const MemoryBar& bar, const MemoryLayout::Row& row)
    {
        const QFont::Weight weight = bar.kind ? QFont::Normal : QFont::DemiBold;
        m_drawing.write(row.label,
                        toQt(bar.title),
                        m_style.font(kRowTextSize, weight),
                        m_theme.text,
                        Qt::AlignRight | Qt::AlignVCenter);
        for (const MemoryLayout::Piece& piece : row.pieces) {
            m_drawing.fill(
                piece.rect, 0.0, *piece.component, hatchUse(*piece.component, m_chart.legend));
        }
        addSeparators(row);
        for (std::size_t i = 0; i < row.ghosts.size(); ++i) {
            m_drawing.fill(row.ghosts[i], 0.0, *bar.ghosts[i].mark);
        }
        m_drawing.write(row.value,
                        toQt(bar.text),
                        m_style.font(kRowTextSize, QFont::DemiBold),
                        m_theme.text,
                        Qt::AlignRight | Qt::AlignVCenter);
        m_drawing.write(row.share,
                        toQt(bar.shareText),
                        m_style.font(kSmallTextSize),
                        m_theme.mutedText,
                        Qt::AlignRight | Qt::AlignVCenter);
    }

    // Between pieces that are wide enough to spare it.
    void addSeparators(const MemoryLayout::Row& row)
    {
        constexpr double kMinWidth = 4.0;
        for (std::size_t i = 1; i < row.pieces.size(); ++i) {
            const QRectF& before = row.pieces[i - 1].rect;
            const QRectF& piece = row.pieces[i].rect;
            if (before.width() > kMinWidth && piece.width() > kMinWidth) {
                m_drawing.line(piece.topLeft(),
                               piece.bottomLeft(),
                               QPen(m_theme.panel, 1.2, Qt::SolidLine, Qt::FlatCap));
            }
        }
    }

    void addLimit(const MemoryLimit& limit)
    {
        const QColor ink = limit.exceeded ? m_theme.negative : m_theme.accent;
        if (limit.bytes <= m_layout.axis.high) {
            const double x = m_layout.xOf(limit.bytes);
            QPen pen(ink, 1.4, Qt::CustomDashLine, Qt::FlatCap);
            pen.setDashPattern({3.0, 2.0});
            m_drawing.line({x, m_layout.plot.top() - 2.0}, {x, m_layout.plot.bottom()}, pen);
        }
        m_drawing.write(m_layout.limit, m_layout.limitText, m_style.font(kSmallTextSize), ink);
    }

    Drawing& m_drawing;
    const MemoryChart& m_chart;
    const MemoryLayout& m_layout;
    const ChartStyle& m_style;
    const Theme& m_theme;
};

Spot spotOf(const MemoryBar& bar, const MemoryLayout::Row& row, Count whole)
{
    Spot spot{.title = toQt(bar.title) + QStringLiteral(": ")
                  + toQt(groupedDigits(bar.bytes) + " bytes, " + bar.shareText)};
    for (const MemoryLayout::Piece& piece : row.pieces) {
        spot.lines.push_back({colour(*piece.component),
                              toQt(piece.component->title),
                              toQt(bytesText(toDouble(piece.bytes))) + QStringLiteral(", ")
                                  + shareText(piece.bytes, whole)});
    }
    for (const MemoryGhost& ghost : bar.ghosts) {
        spot.lines.push_back({colour(*ghost.mark), toQt(ghost.title), toQt(ghost.text)});
    }
    spot.anchor = row.rect.center();
    spot.keepClear = row.rect;
    return spot;
}

// "everything 949 MiB", and behind it what the designs beside it need.
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

PgfPlot MemoryFigure::plot() const
{
    constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
    PgfPlot plot{.x = {.label = "GiB"}};
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
            series.points.push_back({bytes / kGiB, static_cast<double>(i * rows)});
        }
        plot.series.push_back(std::move(series));
    }
    for (std::size_t design = 0; design < m_chart.others.size(); ++design) {
        const MemoryLegendEntry& other = m_chart.others[design];
        PgfSeries series{
            .kind = PgfSeries::Kind::stackedBars, .name = other.title, .rgb = other.component->rgb};
        for (std::size_t i = 0; i < m_chart.bars.size(); ++i) {
            series.points.push_back({toDouble(m_chart.bars[i].ghosts.at(design).bytes) / kGiB,
                                     static_cast<double>(i * rows + 1 + design)});
        }
        plot.series.push_back(std::move(series));
    }
    return plot;
}

Drawing MemoryFigure::contentDrawing(const QRectF& area, const ChartStyle& style) const
{
    Drawing drawing;
    MemoryPainter(drawing, m_chart, memoryLayout(m_chart, area, style), style).paint();
    return drawing;
}

std::vector<Spot> MemoryFigure::contentSpots(const QRectF& area, const ChartStyle& style) const
{
    std::vector<Spot> spots;
    const MemoryLayout layout = memoryLayout(m_chart, area, style);
    for (std::size_t i = 0; i < layout.rows.size(); ++i) {
        spots.push_back(spotOf(m_chart.bars[i], layout.rows[i], m_chart.bars.front().bytes));
    }
    return spots;
}

std::vector<ChartPlace> MemoryFigure::contentPlaces(const QRectF& area,
                                                    const ChartStyle& style) const
{
    std::vector<ChartPlace> places;
    const MemoryLayout layout = memoryLayout(m_chart, area, style);
    for (std::size_t i = 0; i < layout.rows.size(); ++i) {
        for (const MemoryLayout::Piece& piece : layout.rows[i].pieces) {
            places.push_back(
                {.component = piece.component, .spot = static_cast<int>(i), .becomesPaler = true});
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
