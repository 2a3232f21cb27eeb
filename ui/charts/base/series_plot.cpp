// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/base/series_plot.h"

#include "ui/charts/base/clipping.h"

#include <QChart>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QLineSeries>
#include <QPainter>
#include <QPen>
#include <QValueAxis>

namespace flopsmith::ui {

/// The chart in its scene, and what it shows at present.
class SeriesPlot::Chart
{
public:
    Chart()
    {
        auto owned = std::make_unique<QChart>();
        owned->setBackgroundVisible(false);
        owned->setPlotAreaBackgroundVisible(false);
        owned->setDropShadowEnabled(false);
        owned->setMargins({});
        owned->layout()->setContentsMargins(0, 0, 0, 0);
        owned->legend()->hide();
        owned->setAnimationOptions(QChart::NoAnimation); // axis animations crash in 6.4
        addAxis(*owned, m_x, Qt::AlignBottom);
        addAxis(*owned, m_y, Qt::AlignLeft);
        m_chart = owned.get();
        m_scene.addItem(owned.release()); // the scene owns its items
    }

    void show(const PlotContent& content, const QSizeF& size)
    {
        if (size != m_size) {
            m_size = size;
            m_chart->setGeometry(QRectF({}, size));
            m_chart->setPlotArea(QRectF({}, size));
            m_chart->layout()->activate(); // no event loop runs before the painting
            m_scene.setSceneRect(QRectF({}, size));
        }
        if (content != m_content) {
            m_content = content;
            const QRectF& range = content.range;
            m_x->setRange(range.left(), range.right());
            m_y->setRange(range.top(), range.bottom());
            showLines();
        }
    }

    void render(QPainter& painter, const QRectF& area)
    {
        m_scene.render(&painter, area, QRectF({}, m_size), Qt::IgnoreAspectRatio);
    }

private:
    static void addAxis(QChart& chart, QValueAxis*& axis, Qt::Alignment side)
    {
        auto owned = std::make_unique<QValueAxis>();
        axis = owned.get();
        chart.addAxis(owned.release(), side); // the chart owns its axes
        axis->setVisible(false);
    }

    // Series are reused: replace() takes microseconds, adding a series does not.
    void showLines()
    {
        std::size_t used = 0;
        for (const PlotLine& line : m_content.lines) {
            for (const QList<QPointF>& piece : clipped(line.points, m_content.range)) {
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

    QLineSeries& seriesAt(std::size_t index)
    {
        while (m_series.size() <= index) {
            auto owned = std::make_unique<QLineSeries>();
            QLineSeries* series = owned.get();
            m_chart->addSeries(owned.release()); // the chart owns its series
            series->attachAxis(m_x);
            series->attachAxis(m_y);
            m_series.push_back(series);
        }
        return *m_series[index];
    }

    static QPen penOf(const PlotLine& line)
    {
        QPen pen(line.colour, line.width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
        if (!line.dashes.isEmpty()) {
            pen.setCapStyle(Qt::FlatCap);
            pen.setDashPattern(line.dashes);
        }
        return pen;
    }

    QGraphicsScene m_scene;
    QChart* m_chart = nullptr;
    QValueAxis* m_x = nullptr;
    QValueAxis* m_y = nullptr;
    std::vector<QLineSeries*> m_series;
    PlotContent m_content;
    QSizeF m_size;
};

SeriesPlot::SeriesPlot()
    : m_chart(std::make_unique<Chart>())
{}

SeriesPlot::~SeriesPlot() = default;

void SeriesPlot::paint(QPainter& painter, const QRectF& area, const PlotContent& content)
{
    if (area.width() < 1.0 || area.height() < 1.0) {
        return;
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    m_chart->show(content, area.size());
    m_chart->render(painter, area);
    painter.restore();
}

} // namespace flopsmith::ui
