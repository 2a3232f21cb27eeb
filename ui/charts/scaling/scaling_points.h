// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/scaling.h"

#include <QPainterPath>

#include <vector>

namespace flopsmith::ui {

/// The shape of a measured curve's points: round, square, a triangle.
QPainterPath pointShape(std::size_t curve, QPointF centre, double radius);

/// What was measured for a curve at a place, or null.
const MeasuredScalingPoint* measuredAt(const ScalingChart& chart, std::size_t curve, double x);

/// All x of a curve, ascending: of its line, and of its measured points.
std::vector<double> placesOf(const ScalingChart& chart, std::size_t curve);

} // namespace flopsmith::ui
