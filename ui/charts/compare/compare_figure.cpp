// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/compare/compare_figure.h"

#include "core/base/text.h"

#include <algorithm>

namespace flopsmith::ui {
namespace {

/// Draws the bars over their grid, then legend and notes.
class ComparePainter
{
public:
    ComparePainter(Drawing& drawing,
                   const ComparisonChart& chart,
                   const CompareLayout& layout,
                   const ChartStyle& style)
        : m_drawing(drawing)
        , m_chart(chart)
        , m_layout(layout)
        , m_style(style)
        , m_theme(style.theme)
    {}

    void paint()
    {
        addTicks();
        for (std::size_t i = 0; i < m_layout.rows.size(); ++i) {
            addRow(m_chart.bars[i], m_layout.rows[i]);
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

    void addRow(const ComparisonBar& bar, const CompareLayout::Row& row)
    {
        m_drawing.write(row.label,
                        toQt(bar.title),
                        m_style.font(kRowTextSize),
                        m_theme.text,
                        Qt::AlignRight | Qt::AlignVCenter);
        for (std::size_t i = 0; i < row.pieces.size(); ++i) {
            const Component& component = *bar.segments[i].component;
            m_drawing.fill(row.pieces[i], 0.0, component, hatchUse(component, m_chart.legend));
        }
        addSeparators(row);
        m_drawing.write(row.value,
                        toQt(bar.text),
                        m_style.font(kRowTextSize, QFont::DemiBold),
                        m_theme.text,
                        Qt::AlignRight | Qt::AlignVCenter);
        m_drawing.write(row.ratio,
                        row.ratio.isEmpty() ? QString() : toQt(bar.ratioText),
                        m_style.font(kSmallTextSize),
                        m_theme.mutedText,
                        Qt::AlignRight | Qt::AlignVCenter);
    }

    // Between pieces that are wide enough to spare it.
    void addSeparators(const CompareLayout::Row& row)
    {
        constexpr double kMinWidth = 4.0;
        for (std::size_t i = 1; i < row.pieces.size(); ++i) {
            const QRectF& piece = row.pieces[i];
            if (row.pieces[i - 1].width() > kMinWidth && piece.width() > kMinWidth) {
                m_drawing.line(piece.topLeft(),
                               piece.bottomLeft(),
                               QPen(m_theme.panel, 1.2, Qt::SolidLine, Qt::FlatCap));
            }
        }
    }

    Drawing& m_drawing;
    const ComparisonChart& m_chart;
    const CompareLayout& m_layout;
    const ChartStyle& m_style;
    const Theme& m_theme;
};

// "llama-3-8b 15.0 TFLOPs, 51.5×"
QString barInWords(const ComparisonBar& bar)
{
    return toQt(bar.title + " " + bar.text + (bar.ratioText.empty() ? "" : ", " + bar.ratioText));
}

Spot spotOfDesign(const ComparisonBar& bar, const CompareLayout::Row& row, const std::string& unit)
{
    Spot spot{.title = toQt(bar.title + ": " + groupedDigits(bar.count) + " " + unit
                            + (bar.ratioText.empty() ? "" : ", " + bar.ratioText))};
    for (const ComparisonSegment& segment : bar.segments) {
        spot.lines.push_back({colour(*segment.component),
                              toQt(segment.component->title),
                              toQt(segment.text + ", " + segment.shareText)});
    }
    spot.anchor = row.rect.center();
    spot.keepClear = row.rect;
    return spot;
}

// Of a component in a design that may lack it.
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

Drawing CompareFigure::contentDrawing(const QRectF& area, const ChartStyle& style) const
{
    Drawing drawing;
    ComparePainter(drawing, m_chart, compareLayout(m_chart, area, style), style).paint();
    return drawing;
}

std::vector<Spot> CompareFigure::contentSpots(const QRectF& area, const ChartStyle& style) const
{
    std::vector<Spot> spots;
    const CompareLayout layout = compareLayout(m_chart, area, style);
    for (std::size_t i = 0; i < layout.rows.size(); ++i) {
        spots.push_back(spotOfDesign(m_chart.bars[i], layout.rows[i], m_chart.unit));
    }
    return spots;
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
