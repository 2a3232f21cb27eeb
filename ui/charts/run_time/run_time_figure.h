// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/time/run_time.h"
#include "ui/charts/base/figure.h"
#include "ui/charts/base/flow_legend.h"
#include "ui/charts/base/text_lines.h"

namespace flopsmith::ui {

/// The positions of the rows of a run-time chart.
struct RunTimeLayout
{
    struct Row
    {
        std::size_t row = 0; ///< of the table
        QRectF rect{}; ///< the whole line
        QRectF label{};
        QString title{}; ///< in full, or short where the column of labels is narrow
        QRectF measured{}; ///< as long as the time; empty without one
        QRectF bound{}; ///< as long as the lower bound; empty without one
        std::vector<QRectF> ghosts{}; ///< parallel to the row's; empty without a time
        QRectF value{}; ///< "614 ms", after the bars
        QRectF rate{}; ///< "61.3 GFLOP/s", after the value; empty without space
    };

    std::vector<Row> rows{};
    std::size_t hidden = 0; ///< rows without space: the smallest ones
    QRectF total{};
    PlacedLine hiddenText{};
    FlowLegend legend{}; ///< of the compared designs
    std::vector<PlacedLine> notes{}; ///< empty without space
    double pixelsPerSecond = 0.0;
};

RunTimeLayout runTimeLayout(const RunTimeTable& table, const QRectF& area, const ChartStyle& style);

/// The facts after the headline of a table: the range of its total, what is known of an incomplete
/// one, its lower bound and rate.
QStringList runTimeFacts(const RunTimeTable& table);

/// The card of a row: time, lower bound, rate, work, and the time of the same part in the compared
/// designs.
Hotspot runTimeHotspot(const RunTimeRow& row, const std::vector<RunTimeDesign>& others = {});

/// Bars of measured times (filled) over their roofline lower bounds (outlined), a row per part.
/// Compared designs are thin bars below. Painted by hand: a bar set of Qt Charts has one colour for
/// all its bars.
class RunTimeFigure : public Figure
{
public:
    explicit RunTimeFigure(RunTimeTable table)
        : m_table(std::move(table))
    {}

    const RunTimeTable& content() const { return m_table; }

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
    RunTimeTable m_table;
};

} // namespace flopsmith::ui
