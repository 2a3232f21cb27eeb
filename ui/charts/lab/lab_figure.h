// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/plotted_figure.h"
#include "ui/charts/lab/lab_layout.h"

namespace flopsmith::ui {

/// The content of a lab's log: curves with bands, results with intervals, or losses over the rate.
class LabFigure : public PlottedFigure
{
public:
    explicit LabFigure(LabChart chart);

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

private:
    LabChart m_chart;
};

} // namespace flopsmith::ui
