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

/// Grid, labels and legend: everything but the plot.
void drawScaling(Drawing& drawing,
                 const ScalingChart& chart,
                 const ScalingLayout& layout,
                 const ChartStyle& style);

/// Curves, the present value, measured points, and the crossover of measured curves.
PlotContent scalingPlot(const ScalingChart& chart,
                        const ScalingLayout& layout,
                        const ChartStyle& style);

} // namespace flopsmith::ui
