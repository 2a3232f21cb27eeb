// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/cost/memory_bars.h"
#include "ui/charts/base/figure_request.h"
#include "ui/charts/base/flow_legend.h"

#include <QRectF>

#include <vector>

namespace flopsmith::ui {

/// Where the parts of a memory chart stand.
struct MemoryLayout
{
    /// A component's part of a bar, all kinds of memory together.
    struct Piece
    {
        const Component* component = nullptr;
        Count bytes = 0;
        QRectF rect{};
    };

    struct Row
    {
        QRectF rect{}; ///< the whole line
        QRectF label{};
        QRectF value{};
        QRectF share{}; ///< empty if there is no room
        std::vector<Piece> pieces{};
        std::vector<QRectF> ghosts{}; ///< parallel to the bar's
    };

    std::vector<Row> rows{}; ///< of the chart's bars, as many as there is room for
    TickAxis axis{};
    QRectF heading{};
    QRectF plot{};
    QRectF ticks{}; ///< a line of text below the plot
    QRectF limit{}; ///< of the limit's text, above the plot; empty if there is none
    QString limitText{}; ///< with an arrow where the limit is beyond the axis
    FlowLegend legend{};
    std::vector<QRectF> notes{};
    QStringList noteLines{}; ///< parallel to the notes

    double xOf(double bytes) const { return plot.left() + axis.share(bytes) * plot.width(); }
};

/// "NVIDIA A100 SXM 80 GB: 74.5 GiB", and whether that is too little.
QString limitText(const MemoryLimit& limit);

MemoryLayout memoryLayout(const MemoryChart& chart, const QRectF& area, const ChartStyle& style);

/// What fills a device's memory: a bar of everything, then one per kind, stacked by component, and
/// a line where a device is full.
class MemoryFigure : public Figure
{
public:
    explicit MemoryFigure(MemoryChart chart)
        : m_chart(std::move(chart))
    {}

    const MemoryChart& content() const { return m_chart; }

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
    MemoryChart m_chart;
};

/// The memory of the request's scenario, beside that of its hardware if it has any.
FigureResult memoryFigure(const FigureRequest& request);

} // namespace flopsmith::ui
