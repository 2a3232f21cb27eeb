// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/time/mislead.h"
#include "ui/charts/base/figure_request.h"
#include "ui/charts/base/text_lines.h"

#include <vector>

namespace flopsmith::ui {

/// The positions of the rows of the chart.
struct MisleadLayout
{
    struct Row
    {
        std::size_t row = 0; ///< of the table
        QRectF rect{}; ///< the whole row
        QRectF label{};
        QRectF flops{}; ///< outline, as long as the FLOP share
        QRectF time{}; ///< filled, as long as the time share
        QRectF shares{}; ///< "68.0 % → 41.2 %", after the bars
        QRectF difference{}; ///< at the right edge
        QRectF reason{}; ///< below label and bars; empty without space
    };

    QRectF headline{};
    std::vector<PlacedLine> leftOut{}; ///< below the headline: which part failed and why
    std::vector<Row> rows{};
    std::size_t hidden = 0; ///< rows without space: the last ones, with the smallest differences
    QRectF hiddenText{};
    QRectF key{}; ///< explains outline and fill below the rows; empty without space
};

MisleadLayout misleadLayout(const MisleadTable& table, const QRectF& area, const ChartStyle& style);

/// Where FLOPs mislead: each part's share of the FLOPs (outline) above its share of the measured
/// time (filled), with the reason in words, ordered by difference.
class MisleadFigure : public Figure
{
public:
    explicit MisleadFigure(MisleadTable table)
        : m_table(std::move(table))
    {}

    const MisleadTable& content() const { return m_table; }

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

private:
    MisleadTable m_table;
};

/// Shares of the request's measured times and of the FLOPs.
FigureResult misleadFigure(const FigureRequest& request);

} // namespace flopsmith::ui
