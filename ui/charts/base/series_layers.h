// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/series_plot.h"

QT_BEGIN_NAMESPACE
class QAreaSeries;
class QChart;
class QGraphicsScene;
class QLineSeries;
class QScatterSeries;
class QValueAxis;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Maps a plot's values to axis space, and axis space to the pixels of its scene.
class PlotFrame
{
public:
    PlotFrame(const PlotContent& content, const QSizeF& size);

    QRectF plot() const { return QRectF({}, m_size); } ///< in pixels of the scene
    QRectF range() const { return m_range; } ///< of the plot in axis space; top is the lowest y

    /// The same with a margin around the plot into which marks at its edge reach.
    QRectF paper() const;
    QRectF paperRange() const;

    /// Values in axis space, except those that the axis cannot show.
    QList<QPointF> places(const QList<QPointF>& values) const;

    /// A distance in pixels, y downwards, in axis space.
    QPointF way(QPointF pixels) const;

private:
    PlotAxis m_x;
    PlotAxis m_y;
    QRectF m_range;
    QSizeF m_size;
};

/// A chart without axes, legend and background that fills a rectangle of a scene. Its series are
/// reused: replace() takes microseconds, adding a series does not.
class SeriesLayer
{
public:
    SeriesLayer(const SeriesLayer&) = delete;
    SeriesLayer& operator=(const SeriesLayer&) = delete;

    /// Even an empty chart leaves groups in an SVG file unless it is hidden.
    void setVisible(bool visible);

protected:
    /// The scene owns the chart. Layers with a greater z lie above.
    SeriesLayer(QGraphicsScene& scene, double z);
    ~SeriesLayer() = default;

    void place(const QRectF& rect, const QRectF& range);

    /// The chart owns its series.
    template <class Series>
    Series* added(std::unique_ptr<Series> series);

private:
    static QValueAxis* addedAxis(QChart& chart, Qt::Alignment side);

    QChart* m_chart;
    QValueAxis* m_x;
    QValueAxis* m_y;
    QRectF m_rect;
};

class BandLayer : public SeriesLayer
{
public:
    explicit BandLayer(QGraphicsScene& scene)
        : SeriesLayer(scene, 0.0)
    {}

    void show(const std::vector<PlotBand>& bands, const PlotFrame& frame);

private:
    QAreaSeries& seriesAt(std::size_t index);

    std::vector<QAreaSeries*> m_series;
};

class LineLayer : public SeriesLayer
{
public:
    explicit LineLayer(QGraphicsScene& scene)
        : SeriesLayer(scene, 1.0)
    {}

    void show(const std::vector<PlotLine>& lines, const PlotFrame& frame);

private:
    QLineSeries& seriesAt(std::size_t index);

    std::vector<QLineSeries*> m_series;
};

class PointLayer : public SeriesLayer
{
public:
    explicit PointLayer(QGraphicsScene& scene)
        : SeriesLayer(scene, 2.0)
    {}

    void show(const std::vector<PlotPoints>& all, const PlotFrame& frame);

private:
    void showAt(std::size_t index, const PlotPoints& points, const PlotFrame& frame);

    std::vector<QScatterSeries*> m_series;
    std::vector<PlotPoints> m_looks; ///< of the series at present; their points are ignored
};

} // namespace flopsmith::ui
