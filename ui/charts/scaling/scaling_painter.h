// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/series_plot.h"
#include "ui/charts/scaling/scaling_layout.h"

#include <QColor>
#include <QList>

namespace flopsmith::ui {

/// Dash pattern in units of the line's width; empty: solid.
QList<qreal> dashes(Dash dash);

QColor curveColour(const ScalingCurve& curve, const Theme& theme);

/// Grid, labels, marker line and legend: everything but the curves.
void drawScaling(Drawing& drawing,
                 const ScalingChart& chart,
                 const ScalingLayout& layout,
                 const ChartStyle& style);

/// The curves.
PlotContent scalingPlot(const ScalingChart& chart,
                        const ScalingLayout& layout,
                        const ChartStyle& style);

/// The points that were measured, each with its spread, and where one curve falls below another.
/// All are of the colour of text and differ in shape: no curve looks so.
void drawMeasured(Drawing& drawing,
                  const ScalingChart& chart,
                  const ScalingLayout& layout,
                  const ChartStyle& style);

/// The dot on the first curve at the present value: lies over the curves.
void drawMarkerDot(Drawing& drawing,
                   const ScalingChart& chart,
                   const ScalingLayout& layout,
                   const ChartStyle& style);

} // namespace flopsmith::ui
