// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/base/ticks.h"

#include <QColor>
#include <QList>
#include <QPen>
#include <QPointF>
#include <QRectF>

#include <memory>
#include <vector>

QT_BEGIN_NAMESPACE
class QPainter;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// The range of an axis, linear or logarithmic.
struct PlotAxis
{
    AxisScale scale = AxisScale::linear;
    double low = 0.0; ///< in axis space
    double high = 1.0; ///< in axis space, above low

    bool operator==(const PlotAxis&) const = default;
};

PlotAxis plotAxis(const TickAxis& axis);

/// One curve and its pen.
struct PlotLine
{
    QList<QPointF> points{};
    QColor colour{};
    double width = 2.0;
    QList<qreal> dashes{}; ///< in units of the width; empty: solid

    bool operator==(const PlotLine&) const = default;
};

/// The area between two curves. A corner outside the plot is moved to its edge.
struct PlotBand
{
    QList<QPointF> upper{};
    QList<QPointF> lower{};
    QColor fill{};

    bool operator==(const PlotBand&) const = default;
};

enum class PlotMark { disc, square, diamond, triangle };

/// Points that look alike.
struct PlotPoints
{
    QList<QPointF> points{};
    PlotMark mark = PlotMark::disc;
    double size = 8.0; ///< pixels, of the box around the mark without its outline
    QPen outline = Qt::NoPen;
    QColor fill{}; ///< invalid: hollow

    bool operator==(const PlotPoints&) const = default;
};

/// The content of the plot area, in values of the two axes; values that a logarithmic axis cannot
/// show are left out. Bands are below lines, and points above them.
struct PlotContent
{
    PlotAxis x{};
    PlotAxis y{};
    std::vector<PlotBand> bands{};
    std::vector<PlotLine> lines{};
    std::vector<PlotPoints> points{};

    bool operator==(const PlotContent&) const = default;
};

/// The same with all lines and marks larger by a factor.
PlotContent scaled(PlotContent content, double factor);

/// Curves, bands and points drawn by the series of Qt Charts into any painter, without axes,
/// legend, animation or a view: in version 6.4 these label logarithmic axes wrongly, swallow wheel
/// events and mishandle a press beside every item. Curves are clipped at the plot's edge here,
/// because SVG files have no clip.
class SeriesPlot
{
public:
    SeriesPlot();
    ~SeriesPlot();
    SeriesPlot(const SeriesPlot&) = delete;
    SeriesPlot& operator=(const SeriesPlot&) = delete;

    /// Paints the content so that the ranges of its axes fill `area`. Content of an earlier call is
    /// updated in place.
    void paint(QPainter& painter, const QRectF& area, const PlotContent& content);

private:
    class Layers;
    std::unique_ptr<Layers> m_layers;
};

} // namespace flopsmith::ui
