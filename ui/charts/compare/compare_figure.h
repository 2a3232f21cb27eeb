// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/cost/comparison_bars.h"
#include "ui/charts/base/bar_rows.h"
#include "ui/charts/base/figure_request.h"

#include <utility>

namespace flopsmith::ui {

/// Of the chart's bars as many as there is room for, each with a piece for each of its segments.
BarChartLayout compareLayout(const ComparisonChart& chart,
                             const QRectF& area,
                             const ChartStyle& style);

/// The operations of two to four designs on one scale: a bar for each, stacked by component, with
/// its total and its ratio to the first.
class CompareFigure : public Figure
{
public:
    explicit CompareFigure(ComparisonChart chart)
        : m_chart(std::move(chart))
    {}

    const ComparisonChart& content() const { return m_chart; }

    QString title() const override;
    QString summary() const override;
    QString emptyText() const override;
    FigureTable table() const override;
    ChartTable shownTable() const override;
    PgfPlot plot() const override;
    TickMeaning tickMeaning(const AxisTick& tick) const override;

protected:
    Drawing contentDrawing(const QRectF& area, const ChartStyle& style) const override;
    std::vector<Hotspot> contentHotspots(const QRectF& area,
                                         const ChartStyle& style) const override;

private:
    ComparisonChart m_chart;
};

/// The request's scenario and the others under its lens; an error if there are fewer than two or
/// more than four.
FigureResult compareFigure(const FigureRequest& request);

} // namespace flopsmith::ui
