// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/figure.h"
#include "ui/charts/base/series_plot.h"

#include <memory>

namespace flopsmith::ui {

/// The layers of a plotted figure, bottom to top.
struct PlottedPicture
{
    Drawing below{}; ///< grid, texts beside the axes
    QRectF area{}; ///< of the plot
    PlotContent plot{}; ///< what Qt Charts draws
    Drawing above{};
};

/// A figure whose lines, bands and points are drawn by the series of Qt Charts.
class PlottedFigure : public Figure
{
public:
    /// Lines, bands and points; empty if the figure is empty.
    PlotContent plotted(const QRectF& area, const ChartStyle& style) const;

    void reuse(Figure& replaced) override;

protected:
    /// Called only if the figure is not empty.
    virtual PlottedPicture picture(const QRectF& area, const ChartStyle& style) const = 0;

    /// The layers below and above the plot.
    Drawing contentDrawing(const QRectF& area, const ChartStyle& style) const override;

    void paintContent(QPainter& painter,
                      const QRectF& area,
                      const ChartStyle& style) const override;

private:
    /// Made at the first painting; handed on from figure to figure, so that its series are updated
    /// in place.
    mutable std::unique_ptr<SeriesPlot> m_plot;
};

} // namespace flopsmith::ui
