// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/time/share.h"
#include "ui/charts/base/figure_request.h"

#include <vector>

namespace flopsmith::ui {

using Donuts = std::vector<Donut>;

/// Donuts side by side, and one legend below with each component's share in them.
///
/// Painted by hand; ui/charts/README.md compares its times with QPieSeries.
class ShareFigure : public Figure
{
public:
    explicit ShareFigure(Donuts donuts)
        : m_donuts(std::move(donuts))
    {}

    const Donuts& donuts() const { return m_donuts; }

    QString title() const override;
    QString summary() const override;
    QString emptyText() const override;
    FigureTable table() const override;
    ChartTable shownTable() const override;
    PgfPlot plot() const override;
    std::optional<FigureKind> kindOf(int hotspot) const override;

protected:
    Drawing contentDrawing(const QRectF& area, const ChartStyle& style) const override;
    std::vector<Hotspot> contentHotspots(const QRectF& area,
                                         const ChartStyle& style) const override;
    std::vector<ChartPlace> contentPlaces(const QRectF& area,
                                          const ChartStyle& style) const override;
    int contentHotspotAt(QPointF place, const QRectF& area, const ChartStyle& style) const override;
    Drawing highlight(int hotspot, const QRectF& area, const ChartStyle& style) const override;

private:
    Donuts m_donuts;
};

/// The usual donuts of the request's scenario, with its measurements.
FigureResult shareFigure(const FigureRequest& request);

} // namespace flopsmith::ui
