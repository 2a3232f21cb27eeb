// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/base/series_layers.h"

#include "ui/charts/base/clipping.h"

#include <QAreaSeries>
#include <QChart>
#include <QGraphicsEllipseItem>
#include <QGraphicsLayout>
#include <QGraphicsPolygonItem>
#include <QGraphicsRectItem>
#include <QGraphicsScene>
#include <QLineSeries>
#include <QScatterSeries>
#include <QValueAxis>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr double kMarkMargin = 16.0; ///< pixels by which marks may extend beyond the plot

QPen penOf(const PlotLine& line)
{
    QPen pen(line.colour, line.width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    if (!line.dashes.isEmpty()) {
        pen.setCapStyle(Qt::FlatCap);
        pen.setDashPattern(line.dashes);
    }
    return pen;
}

QList<QPointF> clamped(QList<QPointF> points, const QRectF& range)
{
    for (QPointF& point : points) {
        point = {std::clamp(point.x(), range.left(), range.right()),
                 std::clamp(point.y(), range.top(), range.bottom())};
    }
    return points;
}

QScatterSeries::MarkerShape shapeOf(PlotMark mark)
{
    switch (mark) {
    case PlotMark::disc: return QScatterSeries::MarkerShapeCircle;
    case PlotMark::square: return QScatterSeries::MarkerShapeRectangle;
    case PlotMark::diamond: return QScatterSeries::MarkerShapeRotatedRectangle;
    case PlotMark::triangle: return QScatterSeries::MarkerShapeTriangle;
    }
    return QScatterSeries::MarkerShapeCircle;
}

QSizeF extentOf(QAbstractGraphicsShapeItem& item, const QPen& pen)
{
    item.setPen(pen);
    return item.boundingRect().size();
}

// The size of the item that Qt Charts makes for a marker, with its outline.
QSizeF extentOf(const PlotPoints& points)
{
    const double size = points.size;
    const auto ofPolygon = [&points](const QPolygonF& corners) {
        QGraphicsPolygonItem item(corners);
        return extentOf(item, points.outline);
    };
    switch (points.mark) {
    case PlotMark::disc: {
        QGraphicsEllipseItem item(0.0, 0.0, size, size);
        return extentOf(item, points.outline);
    }
    case PlotMark::square: {
        QGraphicsRectItem item(0.0, 0.0, size, size);
        return extentOf(item, points.outline);
    }
    case PlotMark::diamond:
        return ofPolygon(QPolygonF({QPointF(0.0, size / 2),
                                    QPointF(size / 2, size),
                                    QPointF(size, size / 2),
                                    QPointF(size / 2, 0.0)}));
    case PlotMark::triangle:
        return ofPolygon(
            QPolygonF({QPointF(0.0, size), QPointF(size, size), QPointF(size / 2, 0.0)}));
    }
    return {size, size};
}

bool lookAlike(PlotPoints one, PlotPoints other)
{
    one.points.clear();
    other.points.clear();
    return one == other;
}

} // namespace

PlotFrame::PlotFrame(const PlotContent& content, const QSizeF& size)
    : m_x(content.x)
    , m_y(content.y)
    , m_range(m_x.low, m_y.low, m_x.high - m_x.low, m_y.high - m_y.low)
    , m_size(size)
{}

QRectF PlotFrame::paper() const
{
    return plot().adjusted(-kMarkMargin, -kMarkMargin, kMarkMargin, kMarkMargin);
}

QRectF PlotFrame::paperRange() const
{
    const QPointF margin = way({kMarkMargin, -kMarkMargin});
    return m_range.adjusted(-margin.x(), -margin.y(), margin.x(), margin.y());
}

QList<QPointF> PlotFrame::places(const QList<QPointF>& values) const
{
    QList<QPointF> places;
    places.reserve(values.size());
    for (const QPointF& value : values) {
        if (isShowable(m_x.scale, value.x()) && isShowable(m_y.scale, value.y())) {
            places.append({axisPosition(m_x.scale, value.x()), axisPosition(m_y.scale, value.y())});
        }
    }
    return places;
}

QPointF PlotFrame::way(QPointF pixels) const
{
    return {pixels.x() * m_range.width() / m_size.width(),
            -pixels.y() * m_range.height() / m_size.height()};
}

SeriesLayer::SeriesLayer(QGraphicsScene& scene, double z)
{
    auto owned = std::make_unique<QChart>();
    owned->setBackgroundVisible(false);
    owned->setPlotAreaBackgroundVisible(false);
    owned->setDropShadowEnabled(false);
    owned->setMargins({});
    owned->layout()->setContentsMargins(0, 0, 0, 0);
    owned->legend()->hide();
    owned->setAnimationOptions(QChart::NoAnimation); // axis animations crash in 6.4
    owned->setZValue(z);
    m_x = addedAxis(*owned, Qt::AlignBottom);
    m_y = addedAxis(*owned, Qt::AlignLeft);
    m_chart = owned.get();
    scene.addItem(owned.release()); // the scene owns its items
}

QValueAxis* SeriesLayer::addedAxis(QChart& chart, Qt::Alignment side)
{
    auto owned = std::make_unique<QValueAxis>();
    QValueAxis* axis = owned.get();
    chart.addAxis(owned.release(), side); // the chart owns its axes
    axis->setVisible(false);
    return axis;
}

void SeriesLayer::place(const QRectF& rect, const QRectF& range)
{
    if (rect != m_rect) {
        m_rect = rect;
        m_chart->setGeometry(rect);
        m_chart->setPlotArea(QRectF({}, rect.size()));
        m_chart->layout()->activate(); // no event loop runs before the painting
    }
    m_x->setRange(range.left(), range.right());
    m_y->setRange(range.top(), range.bottom());
}

void SeriesLayer::setVisible(bool visible)
{
    m_chart->setVisible(visible);
}

template <class Series>
Series* SeriesLayer::added(std::unique_ptr<Series> series)
{
    Series* chartsOwn = series.get();
    m_chart->addSeries(series.release());
    chartsOwn->attachAxis(m_x);
    chartsOwn->attachAxis(m_y);
    return chartsOwn;
}

void BandLayer::show(const std::vector<PlotBand>& bands, const PlotFrame& frame)
{
    place(frame.paper(), frame.paperRange());
    for (std::size_t i = 0; i < bands.size(); ++i) {
        QAreaSeries& series = seriesAt(i);
        series.upperSeries()->replace(clamped(frame.places(bands[i].upper), frame.range()));
        series.lowerSeries()->replace(clamped(frame.places(bands[i].lower), frame.range()));
        series.setBrush(bands[i].fill);
        series.show();
    }
    for (std::size_t i = bands.size(); i < m_series.size(); ++i) {
        m_series[i]->hide();
    }
}

QAreaSeries& BandLayer::seriesAt(std::size_t index)
{
    while (m_series.size() <= index) {
        auto series = std::make_unique<QAreaSeries>();
        series->setUpperSeries(new QLineSeries(series.get()));
        series->setLowerSeries(new QLineSeries(series.get()));
        series->setPen(Qt::NoPen);
        m_series.push_back(added(std::move(series)));
    }
    return *m_series[index];
}

void LineLayer::show(const std::vector<PlotLine>& lines, const PlotFrame& frame)
{
    place(frame.plot(), frame.range());
    const double spare = 1e-9; // a line along the edge is not lost to rounding
    const QRectF range = frame.range();
    const QRectF reach = range.adjusted(-spare * range.width(),
                                        -spare * range.height(),
                                        spare * range.width(),
                                        spare * range.height());
    std::size_t used = 0;
    for (const PlotLine& line : lines) {
        for (const QList<QPointF>& piece : clipped(frame.places(line.points), reach)) {
            QLineSeries& series = seriesAt(used++);
            series.replace(piece);
            series.setPen(penOf(line));
            series.show();
        }
    }
    for (std::size_t i = used; i < m_series.size(); ++i) {
        m_series[i]->clear();
        m_series[i]->hide();
    }
}

QLineSeries& LineLayer::seriesAt(std::size_t index)
{
    while (m_series.size() <= index) {
        m_series.push_back(added(std::make_unique<QLineSeries>()));
    }
    return *m_series[index];
}

// An item without points does not notice that it is hidden or shown: it is hidden before it loses
// its points, and gets some whenever it is shown.
void PointLayer::show(const std::vector<PlotPoints>& all, const PlotFrame& frame)
{
    place(frame.paper(), frame.paperRange());
    std::size_t used = 0;
    for (const PlotPoints& points : all) {
        if (!frame.places(points.points).isEmpty()) {
            showAt(used++, points, frame);
        }
    }
    for (std::size_t i = used; i < m_series.size(); ++i) {
        m_series[i]->hide();
        m_series[i]->replace(QList<QPointF>());
    }
}

// Qt Charts 6.4 subtracts half the size of a marker with its outline, but draws it without: it
// would be half an outline to the upper left of its value. It subtracts the outline that the marker
// had before: if the look changes, markers are created again.
void PointLayer::showAt(std::size_t index, const PlotPoints& points, const PlotFrame& frame)
{
    while (m_series.size() <= index) {
        m_series.push_back(added(std::make_unique<QScatterSeries>()));
        m_looks.push_back({.size = 0.0});
    }
    QScatterSeries& series = *m_series[index];
    if (!lookAlike(m_looks[index], points)) {
        m_looks[index] = points;
        series.replace(QList<QPointF>());
        series.setMarkerShape(shapeOf(points.mark));
        series.setMarkerSize(points.size);
        series.setPen(points.outline);
        series.setBrush(points.fill.isValid() ? QBrush(points.fill) : QBrush(Qt::NoBrush));
    }
    series.show();
    const QSizeF spare = (extentOf(points) - QSizeF(points.size, points.size)) / 2;
    const QPointF shift = frame.way({spare.width(), spare.height()});
    QList<QPointF> places = frame.places(points.points);
    for (QPointF& place : places) {
        place += shift;
    }
    series.replace(places);
}

} // namespace flopsmith::ui
