// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/series_plot.h"
#include "ui/charts/scaling/scaling_layout.h"

#include <QPainterPath>

#include <vector>

namespace flopsmith::ui {

/// A measured curve's point as the legend shows it: round, square, a triangle.
QPainterPath pointShape(std::size_t curve, QPointF centre, double radius);

/// The measured points, each with its spread. All have the colour of text and differ in shape, so
/// that none looks like a curve.
void addMeasuredPoints(PlotContent& content,
                       const ScalingChart& chart,
                       const ScalingLayout& layout,
                       const Theme& theme);

/// The measurement of a curve at an x, or null.
const MeasuredScalingPoint* measuredAt(const ScalingChart& chart, std::size_t curve, double x);

/// All x of a curve, ascending: of its line, and of its measured points.
std::vector<double> placesOf(const ScalingChart& chart, std::size_t curve);

} // namespace flopsmith::ui
