// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/figure_request.h"
#include "ui/charts/base/plotted_figure.h"
#include "ui/charts/claims/claims_chart.h"

namespace flopsmith::ui {

/// The claim for each FFN as a band on a logarithmic axis, with counted and measured values as
/// marks, a row per claim.
class ClaimsFigure : public PlottedFigure
{
public:
    explicit ClaimsFigure(ClaimsChart chart)
        : m_chart(std::move(chart))
    {}

    const ClaimsChart& content() const { return m_chart; }

    QString title() const override;
    QString summary() const override;
    QString emptyText() const override;
    FigureTable table() const override;
    ChartTable shownTable() const override;
    PgfPlot plot() const override;
    TickMeaning tickMeaning(const AxisTick& tick) const override;
    int minExportHeight() const override { return 440; }

protected:
    PlottedPicture picture(const QRectF& area, const ChartStyle& style) const override;
    std::vector<Hotspot> contentHotspots(const QRectF& area,
                                         const ChartStyle& style) const override;

private:
    ClaimsChart m_chart;
};

/// All claims at the request's sizes, with their measured results.
FigureResult claimsFigure(const FigureRequest& request);

} // namespace flopsmith::ui
