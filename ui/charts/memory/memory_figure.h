// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/cost/memory_bars.h"
#include "ui/charts/base/bar_rows.h"
#include "ui/charts/base/figure_request.h"

namespace flopsmith::ui {

/// Where the parts of a memory chart stand: of its bars as many as there is room for. A piece is a
/// component's part of a bar, all kinds of memory together.
struct MemoryLayout : BarChartLayout
{
    QRectF heading{};
    PlacedLine limit{}; ///< above the plot, with an arrow where it is beyond the axis
};

/// "NVIDIA A100 SXM 80 GB: 80.0 GB", and whether it is exceeded.
QString limitText(const MemoryLimit& limit);

MemoryLayout memoryLayout(const MemoryChart& chart, const QRectF& area, const ChartStyle& style);

/// The memory of a device: a bar of everything, then one per kind, stacked by component, and a line
/// at the device's capacity.
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
    ChartTable shownTable() const override;
    PgfPlot plot() const override;
    TickMeaning tickMeaning(const AxisTick& tick) const override;
    std::optional<FigureKind> kindOf(int hotspot) const override;

protected:
    Drawing contentDrawing(const QRectF& area, const ChartStyle& style) const override;
    std::vector<Hotspot> contentHotspots(const QRectF& area,
                                         const ChartStyle& style) const override;
    std::vector<ChartPlace> contentPlaces(const QRectF& area,
                                          const ChartStyle& style) const override;

private:
    MemoryChart m_chart;
};

/// The memory of the request's scenario, with the capacity of its hardware if it has any.
FigureResult memoryFigure(const FigureRequest& request);

} // namespace flopsmith::ui
