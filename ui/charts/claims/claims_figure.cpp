// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/claims/claims_figure.h"

#include "core/io/reports/claims_table.h"
#include "core/io/table/table_text.h"
#include "ui/charts/claims/claims_painter.h"
#include "ui/charts/claims/claims_plot.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace flopsmith::ui {
namespace {

// Rows of all groups in reading order.
std::vector<ClaimsLayout::Row> rowsOf(const ClaimsChart& chart,
                                      const QRectF& area,
                                      const ChartStyle& style)
{
    std::vector<ClaimsLayout::Row> rows;
    for (const ClaimsLayout::Group& group : claimsLayout(chart, area, style).groups) {
        rows.insert(rows.end(), group.rows.begin(), group.rows.end());
    }
    return rows;
}

} // namespace

QString ClaimsFigure::title() const
{
    return Charts::tr("What design notes claim");
}

QString ClaimsFigure::summary() const
{
    if (!emptyText().isEmpty()) {
        return emptyText();
    }
    QStringList parts;
    for (std::size_t i = 0; i < m_chart.claims.size(); ++i) {
        const Claim& claim = m_chart.claim(i);
        const MeasuredClaim found = m_chart.measuredOf(i);
        QStringList texts{toQt(claim.title), countedText(claim), verdictText(claim, found)};
        if (const LearnedClaim learned = m_chart.learnedOf(i); !learned.text.empty()) {
            texts << Charts::tr("learns: %1").arg(toQt(learned.text));
        }
        parts << texts.join(QLatin1Char(' ')).simplified();
    }
    return Charts::tr("%1, at %2: ").arg(title(), sizesText(m_chart.sizes))
        + parts.join(QStringLiteral(", "));
}

QString ClaimsFigure::emptyText() const
{
    return m_chart.claims.empty() ? Charts::tr("There are no claims.") : QString();
}

FigureTable ClaimsFigure::table() const
{
    const Table exact = claimsTable(m_chart.claims, m_chart.measured, m_chart.learned);
    FigureTable table;
    for (const Column& column : exact.columns) {
        table.header << toQt(column.key);
    }
    for (const std::vector<Cell>& cells : exact.rows) {
        QStringList row;
        for (const Cell& cell : cells) {
            row << toQt(exactText(cell));
        }
        table.rows.push_back(row);
    }
    return table;
}

// Without the lines below each claim, of which the finding becomes a column, and without columns
// that nobody measured or trained.
ChartTable ClaimsFigure::shownTable() const
{
    const Table all = claimsTableForPeople(m_chart.claims, m_chart.measured, m_chart.learned);
    const auto isShown = [this](const Column& column) {
        return column.key == "learns"
            ? m_chart.isLearned()
            : m_chart.isMeasured() || (column.key != "measured" && column.key != "speed_up");
    };
    ChartTable made;
    std::copy_if(
        all.columns.begin(), all.columns.end(), std::back_inserter(made.table.columns), isShown);
    made.table.columns.push_back(wordColumn("finding", "finding"));
    for (const std::vector<Cell>& row : all.rows) {
        if (row.front().spans) {
            continue;
        }
        const Claim& claim = m_chart.claim(made.table.rows.size());
        std::vector<Cell> cells;
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (isShown(all.columns[i])) {
                cells.push_back(row[i].shown.empty() ? missingCell() : row[i]);
            }
        }
        cells.push_back(Cell::text(claim.sentence));
        made.add(claim.component, std::move(cells));
    }
    return made;
}

TickMeaning ClaimsFigure::tickMeaning(const AxisTick& /*tick*/) const
{
    return {.axis = Charts::tr("times fewer FLOPs, or times faster"),
            .sentence = Charts::tr("What the claim compares with, divided by the part itself: at 1 "
                                   "both are equal, left of it the part is the larger one.")};
}

// The savings, on their one axis: the claimed range as a line, counted and measured values as
// marks.
PgfPlot ClaimsFigure::plot() const
{
    constexpr double kOpenEnd = 4.0; // how far a range without an upper end is drawn
    PgfPlot plot{.x = {.label = "times fewer FLOPs, or times faster", .logBase = 10}};
    PgfSeries counted{.kind = PgfSeries::Kind::marks, .name = "counted"};
    PgfSeries measured{.kind = PgfSeries::Kind::marks, .name = "measured", .rgb = 0xD55E00};
    for (std::size_t i = 0; i < m_chart.claims.size(); ++i) {
        const Claim& claim = m_chart.claim(i);
        if (!isSaving(claim)) {
            continue;
        }
        const auto place = static_cast<double>(plot.y.names.size());
        plot.y.names.push_back(claim.title);
        const double high =
            std::isfinite(claim.range.high) ? claim.range.high : kOpenEnd * claim.range.low;
        plot.series.push_back({.name = plot.series.empty() ? "claimed" : "",
                               .rgb = 0x9AA5B1,
                               .points = {{claim.range.low, place}, {high, place}}});
        counted.points.push_back({claim.counted, place});
        if (const auto speedUp = m_chart.measuredOf(i).speedUp) {
            measured.points.push_back({*speedUp, place});
        }
    }
    plot.series.push_back(std::move(counted));
    if (!measured.points.empty()) {
        plot.series.push_back(std::move(measured));
    }
    return plot;
}

PlottedPicture ClaimsFigure::picture(const QRectF& area, const ChartStyle& style) const
{
    const ClaimsLayout layout = claimsLayout(m_chart, area, style);
    PlottedPicture picture;
    drawClaims(picture.below, m_chart, layout, style);
    plotClaims(picture, m_chart, layout, style);
    picture.above.labels.swap(picture.below.labels); // texts lie over bands
    return picture;
}

std::vector<Hotspot> ClaimsFigure::contentHotspots(const QRectF& area,
                                                   const ChartStyle& style) const
{
    std::vector<Hotspot> hotspots;
    for (const ClaimsLayout::Row& row : rowsOf(m_chart, area, style)) {
        hotspots.push_back(claimHotspot(
            m_chart.claim(row.claim), m_chart.measuredOf(row.claim), m_chart.learnedOf(row.claim)));
        hotspots.back().meaning = toQt(m_chart.claim(row.claim).sentence);
        hotspots.back().anchor = row.counted.value_or(row.band.center());
        hotspots.back().keepClear = row.rect;
    }
    return hotspots;
}

FigureResult claimsFigure(const FigureRequest& request)
{
    ClaimsChart chart = countedChart(request.claimSizes, request.lab.get());
    chart.measured = request.measuredClaims;
    return made<ClaimsFigure>(std::move(chart));
}

} // namespace flopsmith::ui
