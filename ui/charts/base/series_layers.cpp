// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/base/series_layers.h"

#include "ui/charts/base/clipping.h"

#include <QAreaSeries>
#include <QChart>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QLineSeries>
#include <QPen>
#include <QValueAxis>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr double kMargin = 16.0; ///< pixels that marks may reach beyond the plot

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

} // namespace

PlotFrame::PlotFrame(const PlotContent& content, const QSizeF& size)
    : m_x(content.x)
    , m_y(content.y)
    , m_range(m_x.low, m_y.low, m_x.high - m_x.low, m_y.high - m_y.low)
    , m_size(size)
{}

QRectF PlotFrame::paper() const
{
    return plot().adjusted(-kMargin, -kMargin, kMargin, kMargin);
}

QRectF PlotFrame::paperRange() const
{
    const QPointF margin = way({kMargin, -kMargin});
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
    std::size_t used = 0;
    for (const PlotLine& line : lines) {
        for (const QList<QPointF>& piece : clipped(frame.places(line.points), frame.range())) {
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

} // namespace flopsmith::ui
