// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/cost/waterfall.h"
#include "ui/charts/base/figure_request.h"
#include "ui/charts/base/flow_legend.h"

#include <QRectF>

#include <vector>

namespace flopsmith::ui {

/// Where the parts of a waterfall stand, with as many steps as there is room for.
struct WaterfallLayout
{
    struct Row
    {
        QRectF rect{}; ///< the whole line
        QRectF label{};
        QRectF bar{};
        QRectF value{};
        std::vector<QRectF> ghosts{}; ///< parallel to those of the bar
    };

    WaterfallChart chart{};
    std::vector<Row> rows{}; ///< parallel to the chart's bars
    TickAxis axis{};
    QRectF plot{};
    QRectF ticks{}; ///< a line of text below the plot
    FlowLegend legend{}; ///< of the designs beside the scenario
    QRectF note{}; ///< empty if there is none or no room

    double xOf(double total) const { return plot.left() + axis.share(total) * plot.width(); }
};

WaterfallLayout waterfallLayout(const WaterfallChart& chart,
                                const QRectF& area,
                                const ChartStyle& style);

/// From what one lens says of a model to what another says, a row per difference: totals are
/// filled bars, additions filled, and what falls away is only outlined. Designs beside the scenario
/// are thin bars below.
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
    PgfPlot plot() const override;

protected:
    Drawing contentDrawing(const QRectF& area, const ChartStyle& style) const override;
    std::vector<Spot> contentSpots(const QRectF& area, const ChartStyle& style) const override;
    std::vector<ChartPlace> contentPlaces(const QRectF& area,
                                          const ChartStyle& style) const override;

private:
    WaterfallChart m_chart;
};

/// From one lens of the request to the other, with the others as ghosts.
FigureResult waterfallFigure(const FigureRequest& request);

} // namespace flopsmith::ui
