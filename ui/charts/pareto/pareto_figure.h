// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/study/pareto_chart.h"
#include "ui/charts/base/figure_request.h"
#include "ui/charts/base/plotted_figure.h"

namespace flopsmith::ui {

/// Many designs by two metrics, and a staircase through the ones that no other dominates.
class ParetoFigure : public PlottedFigure
{
public:
    explicit ParetoFigure(ParetoChart chart)
        : m_chart(std::move(chart))
    {}

    const ParetoChart& content() const { return m_chart; }

    QString title() const override;
    QString summary() const override;
    QString emptyText() const override;
    FigureTable table() const override;
    ChartTable shownTable() const override;
    PgfPlot plot() const override;
    TickMeaning tickMeaning(const AxisTick& tick) const override;
    std::optional<HotspotDesign> design(int hotspot) const override;

protected:
    PlottedPicture picture(const QRectF& area, const ChartStyle& style) const override;
    std::vector<Hotspot> contentHotspots(const QRectF& area,
                                         const ChartStyle& style) const override;
    int contentHotspotAt(QPointF place, const QRectF& area, const ChartStyle& style) const override;
    Drawing highlight(int hotspot, const QRectF& area, const ChartStyle& style) const override;

private:
    ParetoChart m_chart;
};

/// All designs of the request's axes by its two goals; see studyAxes().
FigureResult paretoFigure(const FigureRequest& request);

} // namespace flopsmith::ui
