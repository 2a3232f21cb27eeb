// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/waterfall/waterfall_figure.h"

#include "core/present/table/cost_tables.h"

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

QColor colourOf(const WaterfallBar& bar, const Theme& theme)
{
    switch (bar.kind) {
    case WaterfallBar::Kind::rise: return theme.warning;
    case WaterfallBar::Kind::fall: return theme.positive;
    default: return theme.accent;
    }
}

/// Draws the rows over their grid.
class WaterfallPainter
{
public:
    WaterfallPainter(Drawing& drawing, const WaterfallLayout& layout, const ChartStyle& style)
        : m_drawing(drawing)
        , m_layout(layout)
        , m_style(style)
        , m_theme(style.theme)
    {}

    void paint()
    {
        drawTicks(m_drawing, m_layout, m_style);
        for (std::size_t i = 0; i < m_layout.rows.size(); ++i) {
            addRow(i);
        }
        drawFlowLegend(m_drawing, m_layout.legend, m_style);
        if (!m_layout.note.isEmpty()) {
            m_drawing.write(m_layout.note,
                            toQt(m_layout.chart.note),
                            m_style.font(kSmallTextSize),
                            m_theme.warning);
        }
    }

private:
    void addRow(std::size_t i)
    {
        const WaterfallBar& bar = m_layout.chart.bars[i];
        addBar(bar, m_layout.bar(i));
        for (const BarPiece& ghost : m_layout.rows[i].ghosts) {
            m_drawing.fill(ghost.rect, 0.0, *ghost.component);
        }
        if (i + 1 < m_layout.rows.size()) { // to the next row, at the total between them
            const double x = m_layout.xOf(bar.after);
            m_drawing.line({x, m_layout.bar(i).bottom()},
                           {x, m_layout.bar(i + 1).top()},
                           QPen(m_theme.mutedText, 1.0));
        }
        drawTexts(m_drawing, m_layout.rows[i], m_style);
    }

    // Reductions are hollow, so that the direction is visible without colours too.
    void addBar(const WaterfallBar& bar, const QRectF& rect)
    {
        const QColor colour = colourOf(bar, m_theme);
        const QRectF inner = rect.adjusted(0.7, 0.7, -0.7, -0.7);
        if (bar.amount == 0 && !isTotal(bar)) {
            return; // a step that only other designs have
        }
        if (bar.kind == WaterfallBar::Kind::fall && inner.isValid()) {
            m_drawing.outline(inner, 1.0, QPen(colour, 1.4));
        } else {
            m_drawing.fill(rect, std::min(2.0, rect.width() / 2), colour);
        }
        if (isTotal(bar) && m_layout.chart.isCut()) {
            addCut(rect);
        }
    }

    // Two slanted gaps: the bar does not begin at zero.
    void addCut(const QRectF& rect)
    {
        for (const double offset : {8.0, 12.0}) {
            const double x = rect.left() + offset;
            if (x + 3.0 < rect.right()) {
                m_drawing.line({x, rect.bottom() + 1.0},
                               {x + 3.0, rect.top() - 1.0},
                               QPen(m_theme.panel, 1.6));
            }
        }
    }

    Drawing& m_drawing;
    const WaterfallLayout& m_layout;
    const ChartStyle& m_style;
    const Theme& m_theme;
};

Hotspot hotspotOf(const WaterfallBar& bar,
                  const BarRow& row,
                  const std::vector<WaterfallDesign>& others,
                  const ChartStyle& style)
{
    Hotspot hotspot{.title = toQt(bar.title)};
    hotspot.lines.push_back({colourOf(bar, style.theme),
                             isTotal(bar) ? Charts::tr("says") : Charts::tr("changes by"),
                             toQt(bar.exactText)});
    if (!isTotal(bar)) {
        hotspot.lines.push_back({QColor(), toQt(bar.note), QString()});
    }
    for (std::size_t i = 0; i < bar.ghosts.size(); ++i) {
        hotspot.lines.push_back(
            {colour(*others[i].mark), toQt(others[i].title), toQt(bar.ghosts[i].valueText)});
    }
    hotspot.anchor = row.pieces.front().rect.center();
    hotspot.keepClear = row.rect;
    return hotspot;
}

// "pairs behind the mask −19.3 G", followed by the values of the compared designs.
QString waterfallBarInWords(const WaterfallBar& bar, const std::vector<WaterfallDesign>& others)
{
    QString text = toQt(bar.title + " " + bar.valueText);
    for (std::size_t i = 0; i < bar.ghosts.size(); ++i) {
        text += QStringLiteral("; ") + toQt(others[i].title + " " + bar.ghosts[i].valueText);
    }
    return text;
}

// Totals, additions or reductions.
std::size_t seriesOf(const WaterfallBar& bar)
{
    return isTotal(bar) ? 0U : bar.kind == WaterfallBar::Kind::rise ? 1U : 2U;
}

} // namespace

QString WaterfallFigure::title() const
{
    return toQt(m_chart.title);
}

QString WaterfallFigure::summary() const
{
    if (!emptyText().isEmpty()) {
        return emptyText();
    }
    QStringList parts;
    for (const WaterfallBar& bar : m_chart.bars) {
        parts << waterfallBarInWords(bar, m_chart.others);
    }
    return title() + QStringLiteral(": ") + parts.join(QStringLiteral(", "));
}

QString WaterfallFigure::emptyText() const
{
    return m_chart.empty() ? toQt(m_chart.emptyText) : QString();
}

FigureTable WaterfallFigure::table() const
{
    FigureTable table;
    table.header = {QStringLiteral("step"), QStringLiteral("amount"), QStringLiteral("note")};
    for (const WaterfallDesign& other : m_chart.others) {
        table.header << toQt(other.title);
    }
    for (const WaterfallBar& bar : m_chart.bars) {
        QStringList row{toQt(bar.title), toQt(digits(bar.amount)), toQt(bar.note)};
        for (const WaterfallGhost& ghost : bar.ghosts) {
            row << toQt(digits(ghost.amount));
        }
        table.rows.push_back(row);
    }
    return table;
}

ChartTable WaterfallFigure::shownTable() const
{
    return waterfallTable(m_chart);
}

// Each step hangs on an invisible bar that reaches to its beginning. A compared design has a row of
// its own below each bar.
PgfPlot WaterfallFigure::plot() const
{
    PgfPlot plot{.x = {.label = m_chart.unit}};
    PgfSeries gap{.kind = PgfSeries::Kind::stackedGap};
    std::vector<PgfSeries> bars{
        {.kind = PgfSeries::Kind::stackedBars, .name = "total"},
        {.kind = PgfSeries::Kind::stackedBars, .name = "more", .rgb = 0xE69F00},
        {.kind = PgfSeries::Kind::stackedBars, .name = "less", .rgb = 0xC9D1D9}};
    for (const WaterfallDesign& other : m_chart.others) {
        bars.push_back(
            {.kind = PgfSeries::Kind::stackedBars, .name = other.title, .rgb = other.mark->rgb});
    }
    const auto add = [&](const std::string& name, double before, double after, std::size_t which) {
        const auto place = static_cast<double>(plot.y.names.size());
        plot.y.names.push_back(name);
        gap.points.push_back({std::min(before, after), place});
        for (std::size_t i = 0; i < bars.size(); ++i) {
            bars[i].points.push_back({i == which ? std::abs(after - before) : 0.0, place});
        }
    };
    for (const WaterfallBar& bar : m_chart.bars) {
        add(bar.title, bar.before, bar.after, seriesOf(bar));
        for (std::size_t i = 0; i < bar.ghosts.size(); ++i) {
            add(m_chart.others[i].title, bar.ghosts[i].before, bar.ghosts[i].after, 3 + i);
        }
    }
    plot.series = {gap};
    plot.series.insert(plot.series.end(), bars.begin(), bars.end());
    return plot;
}

TickMeaning WaterfallFigure::tickMeaning(const AxisTick& /*tick*/) const
{
    TickMeaning meaning{.axis = toQt(m_chart.unit),
                        .sentence = Charts::tr("What is counted up to a step, on the way from one "
                                               "lens to the other.")};
    for (const WaterfallBar& bar : m_chart.bars) {
        if (bar.kind == WaterfallBar::Kind::start || bar.kind == WaterfallBar::Kind::end) {
            meaning.lines.push_back({{}, toQt(bar.title), toQt(bar.exactText)});
        }
    }
    return meaning;
}

Drawing WaterfallFigure::contentDrawing(const QRectF& area, const ChartStyle& style) const
{
    Drawing drawing;
    WaterfallPainter(drawing, waterfallLayout(m_chart, area, style), style).paint();
    return drawing;
}

std::vector<Hotspot> WaterfallFigure::contentHotspots(const QRectF& area,
                                                      const ChartStyle& style) const
{
    std::vector<Hotspot> hotspots;
    const WaterfallLayout layout = waterfallLayout(m_chart, area, style);
    for (std::size_t i = 0; i < layout.rows.size(); ++i) {
        hotspots.push_back(
            hotspotOf(layout.chart.bars[i], layout.rows[i], layout.chart.others, style));
    }
    return hotspots;
}

std::vector<ChartPlace> WaterfallFigure::contentPlaces(const QRectF& area,
                                                       const ChartStyle& style) const
{
    std::vector<ChartPlace> places;
    const WaterfallLayout layout = waterfallLayout(m_chart, area, style);
    for (std::size_t i = 0; i < layout.rows.size(); ++i) {
        if (!layout.chart.bars[i].paths.empty()) { // totals are of all operations
            places.push_back({.paths = layout.chart.bars[i].paths, .hotspot = static_cast<int>(i)});
            places.back().outline = rowOutline(layout.rows[i].rect);
        }
    }
    return places;
}

FigureResult waterfallFigure(const FigureRequest& request)
{
    return made<WaterfallFigure>(
        waterfallChart(request.scenario, request.from, request.lens, request.others));
}

} // namespace flopsmith::ui
