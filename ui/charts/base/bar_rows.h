// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/count.h"
#include "core/present/base/ticks.h"
#include "ui/charts/base/flow_legend.h"
#include "ui/charts/base/text_lines.h"

#include <QRectF>

#include <algorithm>
#include <functional>
#include <vector>

// What charts of bars in rows have in common.
namespace flopsmith::ui {

/// The texts of a row beside its bars.
struct BarTexts
{
    QString label{}; ///< before the bars
    QString value{}; ///< bold, behind them
    QString note{}; ///< small and muted, at the end
    QFont::Weight labelWeight = QFont::Normal;
};

/// A component's part of a bar, or the thin bar of another design.
struct BarPiece
{
    const Component* component = nullptr;
    Count amount = 0;
    QRectF rect{};
    HatchUse hatch = HatchUse::onRequest;
};

struct BarRow
{
    BarTexts texts{};
    QRectF rect{}; ///< the whole line
    QRectF label{};
    QRectF value{};
    QRectF note{}; ///< empty without space
    std::vector<BarPiece> pieces{}; ///< end to end
    std::vector<BarPiece> ghosts{}; ///< of other designs, below the bar
};

/// Rows of bars on one axis, between a column of labels and the columns of values and notes.
struct BarRows
{
    std::vector<BarRow> rows{};
    TickAxis axis{};
    QRectF plot{}; ///< where bars are, as high as all rows
    QRectF ticks{}; ///< a line of text below the plot

    double xOf(double amount) const { return plot.left() + axis.share(amount) * plot.width(); }
};

/// An axis with at most so many ticks.
using AxisOfTicks = std::function<TickAxis(int)>;

/// The rows without their bars; the axis has as many ticks as keep their labels apart. Notes are
/// left out where the bars would be short.
BarRows barRows(const std::vector<BarTexts>& texts,
                QPointF topLeft,
                double width,
                double rowHeight,
                const AxisOfTicks& axis,
                const ChartStyle& style);

/// The height of a row that holds its texts and no more.
double minBarRow(const ChartStyle& style);

/// How many rows fit into a height, and one where none does.
std::size_t fittingRows(double height, double rowHeight);

/// The rows with the longest bars, as many as asked for, in their order.
std::vector<std::size_t> longestRows(const std::vector<double>& lengths, std::size_t count);

/// Where the bar of a row stands that has the thin bars of other designs below it.
struct BarBand
{
    double top = 0.0;
    double thickness = 0.0; ///< the usual one, or less where the row is low
    double ghostTop = 0.0; ///< of the first thin bar
    double ghostThickness = 0.0;
    double ghostStep = 0.0; ///< from one thin bar to the next
};
BarBand barBand(const QRectF& row, double usualThickness, std::size_t ghosts);

/// Legend and notes below bars.
struct BelowBars
{
    FlowLegend legend{};
    std::vector<PlacedLine> notes{};
    double height = 0.0;

    void translate(double dx, double dy);
};

/// As much of them as leaves so many rows their height: the note, whose clauses end with "; ", is left
/// out first, then entries of the legend.
BelowBars belowBars(const std::vector<FlowEntry>& entries,
                    const QString& note,
                    std::size_t rows,
                    QSizeF space,
                    const ChartStyle& style);

/// Rows of bars with legend and notes below them.
struct BarChartLayout : BarRows
{
    BelowBars below{};
};

/// What a chart's bars are placed by.
struct BarChartTexts
{
    std::vector<BarTexts> rows{};
    std::vector<FlowEntry> legend{};
    QString note{};
};

/// As many of the rows as fit into the area.
BarChartLayout barChartLayout(BarChartTexts texts,
                              const QRectF& area,
                              double maxRowHeight,
                              const AxisOfTicks& axis,
                              const ChartStyle& style);

/// The width of the widest text in a column; 0 if all are empty.
template <class Rows, class TextOf>
double widestText(const Rows& rows, const QFont& font, TextOf textOf)
{
    double widest = 0.0;
    for (const auto& row : rows) {
        const QString text = textOf(row);
        widest = std::max(widest, text.isEmpty() ? 0.0 : textWidth(font, text));
    }
    return widest;
}

void drawTicks(Drawing& drawing, const BarRows& bars, const ChartStyle& style);
void drawTexts(Drawing& drawing, const BarRow& row, const ChartStyle& style);

/// Pieces, with a line between those that are wide enough to spare it, and ghosts.
void drawPieces(Drawing& drawing, const BarRow& row, const ChartStyle& style);

/// All of the above.
void drawRows(Drawing& drawing, const BarRows& bars, const ChartStyle& style);

void drawBelow(Drawing& drawing, const BelowBars& below, const ChartStyle& style);

/// A bar of which only the outline is drawn, for what is a bound or counted beside a measured one.
void drawOutlineBar(Drawing& drawing, const QRectF& bar, const QColor& colour);

void drawLines(Drawing& drawing, const std::vector<PlacedLine>& lines, const ChartStyle& style);

} // namespace flopsmith::ui
