// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/series_plot.h"
#include "ui/charts/pareto/pareto_layout.h"

namespace flopsmith::ui {

/// Grid, texts and names: everything but the plot.
void drawPareto(Drawing& drawing,
                const ParetoChart& chart,
                const ParetoLayout& layout,
                const ChartStyle& style);

/// The designs, pale if dominated, the staircase of the others, and the present one.
PlotContent paretoPlot(const ParetoChart& chart,
                       const ParetoLayout& layout,
                       const ChartStyle& style);

} // namespace flopsmith::ui
