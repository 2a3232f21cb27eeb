// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/study/scaling.h"
#include "ui/charts/base/figure_request.h"
#include "ui/charts/base/plotted_figure.h"
#include "ui/charts/scaling/scaling_layout.h"

namespace flopsmith::ui {

/// Curves on logarithmic axes with their slopes, and a marker at the present value.
class ScalingFigure : public PlottedFigure
{
public:
    explicit ScalingFigure(ScalingChart chart)
        : m_chart(std::move(chart))
    {}

    const ScalingChart& chart() const { return m_chart; }

    QString title() const override;
    QString summary() const override;
    QString emptyText() const override;
    FigureTable table() const override;
    ChartTable shownTable() const override;
    PgfPlot plot() const override;
    TickMeaning tickMeaning(const AxisTick& tick) const override;

protected:
    PlottedPicture picture(const QRectF& area, const ChartStyle& style) const override;
    std::vector<Hotspot> contentHotspots(const QRectF& area,
                                         const ChartStyle& style) const override;
    int contentHotspotAt(QPointF place, const QRectF& area, const ChartStyle& style) const override;
    Drawing highlight(int hotspot, const QRectF& area, const ChartStyle& style) const override;

private:
    std::vector<double> places() const;

    ScalingChart m_chart;
};

/// The curves of the usual variants of the request's scenario, with measured points if it has any;
/// or of the scenario and the compared designs.
FigureResult scalingFigure(const FigureRequest& request);

} // namespace flopsmith::ui
