// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QList>
#include <QPointF>
#include <QRectF>

#include <memory>
#include <vector>

QT_BEGIN_NAMESPACE
class QPainter;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// One curve in axis space (logarithms already taken) and its pen.
struct PlotLine
{
    QList<QPointF> points{};
    QColor colour{};
    double width = 2.0;
    QList<qreal> dashes{}; ///< in units of the width; empty: solid

    bool operator==(const PlotLine&) const = default;
};

/// What the plot area holds: axis ranges and curves.
struct PlotContent
{
    QRectF range{}; ///< in axis space: left, top = lowest x and y; width and height above 0
    std::vector<PlotLine> lines{};

    bool operator==(const PlotContent&) const = default;
};

/// Curves drawn by Qt Charts into any painter, without axes, legend, animation or a view: those of
/// version 6.4 label logarithmic axes wrongly, swallow wheel events and fall over a press beside
/// every item. Curves are cut at the plot's edge here, as SVG files know no clip.
class SeriesPlot
{
public:
    SeriesPlot();
    ~SeriesPlot();
    SeriesPlot(const SeriesPlot&) = delete;
    SeriesPlot& operator=(const SeriesPlot&) = delete;

    /// Paints the curves so that content.range fills `area`.
    void paint(QPainter& painter, const QRectF& area, const PlotContent& content);

private:
    class Chart;
    std::unique_ptr<Chart> m_chart;
};

} // namespace flopsmith::ui
