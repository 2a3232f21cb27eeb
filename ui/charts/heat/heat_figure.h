// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/study/heat_map.h"
#include "ui/charts/base/figure_request.h"

namespace flopsmith::ui {

/// A metric over two parameters: a coloured cell for each combination, hatched if it is illegal,
/// and a ring around the present one.
class HeatFigure : public Figure
{
public:
    explicit HeatFigure(HeatMap map)
        : m_map(std::move(map))
    {}

    const HeatMap& content() const { return m_map; }

    QString title() const override;
    QString summary() const override;
    QString emptyText() const override;
    FigureTable table() const override;
    ChartTable shownTable() const override;
    PgfPlot plot() const override;
    TickMeaning tickMeaning(const AxisTick& tick) const override;
    std::optional<HotspotDesign> design(int hotspot) const override;

protected:
    Drawing contentDrawing(const QRectF& area, const ChartStyle& style) const override;
    std::vector<Hotspot> contentHotspots(const QRectF& area,
                                         const ChartStyle& style) const override;
    int contentHotspotAt(QPointF place, const QRectF& area, const ChartStyle& style) const override;
    Drawing highlight(int hotspot, const QRectF& area, const ChartStyle& style) const override;

private:
    QString titleOf(const HeatCell& cell) const;

    HeatMap m_map;
};

/// The request's metric over its two axes; see studyAxes().
FigureResult heatFigure(const FigureRequest& request);

} // namespace flopsmith::ui
