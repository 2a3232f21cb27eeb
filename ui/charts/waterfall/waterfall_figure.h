// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/cost/waterfall.h"
#include "ui/charts/base/bar_rows.h"
#include "ui/charts/base/figure_request.h"

namespace flopsmith::ui {

/// Where the parts of a waterfall stand, with as many steps as there is room for. A row has one piece.
struct WaterfallLayout : BarRows
{
    WaterfallChart chart{}; ///< its bars are parallel to the rows
    FlowLegend legend{}; ///< of the designs beside the scenario
    QRectF note{}; ///< empty if there is none or no space

    const QRectF& bar(std::size_t row) const { return rows.at(row).pieces.front().rect; }
};

/// Whether the bar is what a lens says in all, not a difference.
bool isTotal(const WaterfallBar& bar);

WaterfallLayout waterfallLayout(const WaterfallChart& chart,
                                const QRectF& area,
                                const ChartStyle& style);

/// From one lens's figure of a model to another's, a row per difference: totals are filled bars,
/// additions filled, reductions only outlined. Compared designs are thin bars below.
class WaterfallFigure : public Figure
{
public:
    explicit WaterfallFigure(WaterfallChart chart)
        : m_chart(std::move(chart))
    {}

    const WaterfallChart& content() const { return m_chart; }

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
    std::vector<ChartPlace> contentPlaces(const QRectF& area,
                                          const ChartStyle& style) const override;

private:
    WaterfallChart m_chart;
};

/// From one lens of the request to the other, with the other designs as ghosts.
FigureResult waterfallFigure(const FigureRequest& request);

} // namespace flopsmith::ui
