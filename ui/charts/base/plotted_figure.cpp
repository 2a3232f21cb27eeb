// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/base/plotted_figure.h"

#include <utility>

namespace flopsmith::ui {

PlotContent PlottedFigure::plotted(const QRectF& area, const ChartStyle& style) const
{
    return emptyText().isEmpty() ? picture(area, style).plot : PlotContent();
}

void PlottedFigure::reuse(Figure& replaced)
{
    if (auto* plotted = dynamic_cast<PlottedFigure*>(&replaced)) {
        m_plot = std::move(plotted->m_plot);
    }
}

Drawing PlottedFigure::contentDrawing(const QRectF& area, const ChartStyle& style) const
{
    PlottedPicture parts = picture(area, style);
    Drawing all = std::move(parts.below);
    all.shapes.insert(all.shapes.end(), parts.above.shapes.begin(), parts.above.shapes.end());
    all.labels.insert(all.labels.end(), parts.above.labels.begin(), parts.above.labels.end());
    return all;
}

void PlottedFigure::paintContent(QPainter& painter,
                                 const QRectF& area,
                                 const ChartStyle& style) const
{
    const PlottedPicture parts = picture(area, style);
    parts.below.paint(painter, style);
    if (!m_plot) {
        m_plot = std::make_unique<SeriesPlot>();
    }
    m_plot->paint(painter, parts.area, scaled(parts.plot, style.scale.lines));
    parts.above.paint(painter, style);
}

} // namespace flopsmith::ui
