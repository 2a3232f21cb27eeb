// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/base/series_plot.h"

#include "ui/charts/base/series_layers.h"

#include <QGraphicsScene>
#include <QPainter>

namespace flopsmith::ui {

/// A chart for each kind of series, stacked in a scene, created on first use.
class SeriesPlot::Layers
{
public:
    void show(const PlotContent& content, const QSizeF& size)
    {
        if (size == m_size && content == m_content) {
            return;
        }
        m_size = size;
        m_content = content;
        const PlotFrame frame(content, size);
        m_scene.setSceneRect(frame.paper());
        show(m_bands, content.bands, frame);
        show(m_lines, content.lines, frame);
        show(m_points, content.points, frame);
    }

    void render(QPainter& painter, const QRectF& area)
    {
        const QRectF paper = PlotFrame(m_content, m_size).paper();
        m_scene.render(&painter, paper.translated(area.topLeft()), paper, Qt::IgnoreAspectRatio);
    }

private:
    template <class Layer, class Mark>
    void show(std::unique_ptr<Layer>& layer, const std::vector<Mark>& marks, const PlotFrame& frame)
    {
        if (!layer && marks.empty()) {
            return;
        }
        if (!layer) {
            layer = std::make_unique<Layer>(m_scene);
        }
        layer->setVisible(!marks.empty());
        if (!marks.empty()) {
            layer->show(marks, frame);
        }
    }

    QGraphicsScene m_scene;
    std::unique_ptr<BandLayer> m_bands;
    std::unique_ptr<LineLayer> m_lines;
    std::unique_ptr<PointLayer> m_points;
    PlotContent m_content;
    QSizeF m_size;
};

PlotContent scaled(PlotContent content, double factor)
{
    for (PlotLine& line : content.lines) {
        line.width *= factor;
    }
    for (PlotPoints& points : content.points) {
        points.size *= factor;
        points.outline.setWidthF(points.outline.widthF() * factor);
    }
    return content;
}

PlotAxis plotAxis(const TickAxis& axis)
{
    return {.scale = axis.scale, .low = axis.low, .high = axis.high};
}

SeriesPlot::SeriesPlot()
    : m_layers(std::make_unique<Layers>())
{}

SeriesPlot::~SeriesPlot() = default;

void SeriesPlot::paint(QPainter& painter, const QRectF& area, const PlotContent& content)
{
    if (area.width() < 1.0 || area.height() < 1.0) {
        return;
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    m_layers->show(content, area.size());
    m_layers->render(painter, area);
    painter.restore();
}

} // namespace flopsmith::ui
