// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/series_plot.h"
#include "ui/charts/lab/lab_layout.h"

#include <QColor>
#include <QPen>

namespace flopsmith::ui {

/// The component's colour; for controls the text's, muted without an FFN.
QColor labColour(const LabSeries& series, const Theme& theme);

/// For a short sample of the arm's line.
QPen labPen(const LabSeries& series, const Theme& theme);

/// Grid, names, values and caption: everything but the plot.
void drawLab(Drawing& drawing,
             const LabChart& chart,
             const LabLayout& layout,
             const ChartStyle& style);

/// Curves with their bands, or means with their whiskers, and the references.
PlotContent labPlot(const LabChart& chart, const LabLayout& layout, const ChartStyle& style);

} // namespace flopsmith::ui
