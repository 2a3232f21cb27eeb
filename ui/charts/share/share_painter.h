// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/time/share.h"
#include "ui/charts/share/share_layout.h"

#include <QPainterPath>
#include <QPointF>

#include <span>
#include <vector>

namespace flopsmith::ui {

/// A slice's part of the ring. Qt measures angles in degrees, anticlockwise from three o'clock;
/// slices run clockwise from twelve.
struct Arc
{
    double start = 90.0;
    double span = 0.0; ///< negative: clockwise
};

std::vector<Arc> arcs(const Donut& donut);

/// Behind the slices, the part of the ring without a value; an empty arc if there is none.
Arc gapOf(const Donut& donut);

/// The part of a donut's ring between two radii.
QPainterPath ringPart(const DonutPlace& place, const Arc& arc, double inner, double outer);

QPointF onCircle(QPointF centre, double degrees, double radius);
QRectF circle(QPointF centre, double radius);

/// `rows`: of all donuts, to find components that share a colour.
void drawDonut(Drawing& drawing,
               const Donut& donut,
               std::span<const LegendRow> rows,
               const DonutPlace& place,
               const ChartStyle& style);

} // namespace flopsmith::ui
