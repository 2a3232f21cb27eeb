// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/drawing.h"
#include "ui/charts/share/share_painter.h"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QHorizontalStackedBarSeries>
#include <QPainter>
#include <QPieSeries>
#include <QPieSlice>
#include <QValueAxis>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

// The same rings and the same bars twice, without any text: by Qt Charts' series, updated in place,
// and as the figures paint them. Only bench_window measures them.
namespace flopsmith::ui {

inline constexpr int kPeerRings = 3;
inline constexpr int kPeerRows = 6; ///< of bars
inline constexpr int kPeerParts = 9; ///< slices of a ring, pieces of a bar

/// Shares of a ring or a bar at a step of a slider; they sum to 1.
inline std::array<double, kPeerParts> peerShares(int step, int row)
{
    std::array<double, kPeerParts> shares{};
    double sum = 0.0;
    for (int i = 0; i < kPeerParts; ++i) {
        shares[static_cast<std::size_t>(i)] = 1.0 + (step * (i + 2) + 3 * row) % 11;
        sum += shares[static_cast<std::size_t>(i)];
    }
    for (double& share : shares) {
        share /= sum;
    }
    return shares;
}

inline QColor peerColour(int part)
{
    return QColor::fromHsv(40 * part, 160, 200);
}

/// A chart of Qt Charts without axes, legend and background, as large as the paper.
class PeerChart
{
public:
    explicit PeerChart(const QSizeF& paper)
        : m_paper(QPointF(), paper)
    {
        auto owned = std::make_unique<QChart>();
        m_chart = owned.get();
        m_scene.addItem(owned.release()); // the scene owns its items
        m_chart->setBackgroundVisible(false);
        m_chart->setMargins({});
        m_chart->layout()->setContentsMargins(0, 0, 0, 0);
        m_chart->legend()->hide();
        m_chart->setAnimationOptions(QChart::NoAnimation);
        m_chart->setGeometry(m_paper);
        m_chart->setPlotArea(m_paper);
        m_chart->layout()->activate();
        m_scene.setSceneRect(m_paper);
    }

    QChart& chart() { return *m_chart; }

    void render(QPainter& painter)
    {
        painter.setRenderHint(QPainter::Antialiasing);
        m_scene.render(&painter, m_paper, m_paper, Qt::IgnoreAspectRatio);
    }

private:
    QRectF m_paper;
    QGraphicsScene m_scene;
    QChart* m_chart = nullptr;
};

/// Rings by QPieSeries.
class SeriesRings
{
public:
    explicit SeriesRings(const QSizeF& paper)
        : m_peer(paper)
    {
        for (int ring = 0; ring < kPeerRings; ++ring) {
            auto owned = std::make_unique<QPieSeries>();
            QPieSeries* series = owned.get();
            series->setHorizontalPosition((ring + 0.5) / kPeerRings);
            series->setPieSize(0.9 / kPeerRings);
            series->setHoleSize(0.6 / kPeerRings);
            for (int part = 0; part < kPeerParts; ++part) {
                QPieSlice* slice = series->append(QString(), 1.0);
                slice->setColor(peerColour(part));
                slice->setPen(Qt::NoPen);
            }
            m_peer.chart().addSeries(owned.release()); // the chart owns its series
            m_series.push_back(series);
        }
    }

    void paint(QPainter& painter, int step)
    {
        for (int ring = 0; ring < kPeerRings; ++ring) {
            const QList<QPieSlice*> slices = m_series[static_cast<std::size_t>(ring)]->slices();
            const auto shares = peerShares(step, ring);
            for (int part = 0; part < kPeerParts; ++part) {
                slices[part]->setValue(shares[static_cast<std::size_t>(part)]);
            }
        }
        m_peer.render(painter);
    }

private:
    PeerChart m_peer;
    std::vector<QPieSeries*> m_series;
};

/// The same as ShareFigure paints them.
inline void paintRings(QPainter& painter, const QSizeF& paper, int step)
{
    Drawing drawing;
    const double width = paper.width() / kPeerRings;
    for (int ring = 0; ring < kPeerRings; ++ring) {
        const DonutPlace place{.centre = {(ring + 0.5) * width, paper.height() / 2},
                               .radius = 0.45 * width,
                               .hole = 0.3 * width};
        Arc arc;
        const auto shares = peerShares(step, ring);
        for (int part = 0; part < kPeerParts; ++part) {
            arc.span = -360.0 * shares[static_cast<std::size_t>(part)];
            drawing.shapes.push_back(
                {ringPart(place, arc, place.hole, place.radius), Qt::NoPen, peerColour(part)});
            arc.start += arc.span;
        }
    }
    drawing.paint(painter, {});
}

/// Stacked bars by QHorizontalStackedBarSeries: a set for each part, a category for each row.
class SeriesBars
{
public:
    explicit SeriesBars(const QSizeF& paper)
        : m_peer(paper)
    {
        auto owned = std::make_unique<QHorizontalStackedBarSeries>();
        QHorizontalStackedBarSeries* series = owned.get();
        series->setBarWidth(0.6);
        for (int part = 0; part < kPeerParts; ++part) {
            auto set = std::make_unique<QBarSet>(QString());
            set->append(QList<qreal>(kPeerRows, 0.0));
            set->setBrush(peerColour(part));
            set->setPen(Qt::NoPen);
            m_sets.push_back(set.get());
            series->append(set.release()); // the series owns its sets
        }
        m_peer.chart().addSeries(owned.release()); // the chart owns its series
        addAxes(*series);
    }

    void paint(QPainter& painter, int step)
    {
        for (int row = 0; row < kPeerRows; ++row) {
            const auto shares = peerShares(step, row);
            for (int part = 0; part < kPeerParts; ++part) {
                const auto index = static_cast<std::size_t>(part);
                m_sets[index]->replace(row, shares[index]);
            }
        }
        m_peer.render(painter);
    }

private:
    void addAxes(QHorizontalStackedBarSeries& series)
    {
        auto rows = std::make_unique<QBarCategoryAxis>();
        for (int row = 0; row < kPeerRows; ++row) {
            rows->append(QString::number(row));
        }
        auto values = std::make_unique<QValueAxis>();
        values->setRange(0.0, 1.0);
        QBarCategoryAxis* rowAxis = rows.get();
        QValueAxis* valueAxis = values.get();
        m_peer.chart().addAxis(rows.release(), Qt::AlignLeft); // the chart owns its axes
        m_peer.chart().addAxis(values.release(), Qt::AlignBottom);
        series.attachAxis(rowAxis);
        series.attachAxis(valueAxis);
        rowAxis->setVisible(false);
        valueAxis->setVisible(false);
    }

    PeerChart m_peer;
    std::vector<QBarSet*> m_sets;
};

/// The same as MemoryFigure paints them.
inline void paintBars(QPainter& painter, const QSizeF& paper, int step)
{
    Drawing drawing;
    const double height = paper.height() / kPeerRows;
    for (int row = 0; row < kPeerRows; ++row) {
        double left = 0.0;
        const auto shares = peerShares(step, row);
        for (int part = 0; part < kPeerParts; ++part) {
            const double width = shares[static_cast<std::size_t>(part)] * paper.width();
            drawing.fill(
                QRectF(left, (row + 0.2) * height, width, 0.6 * height), 0.0, peerColour(part));
            left += width;
        }
    }
    drawing.paint(painter, {});
}

} // namespace flopsmith::ui
