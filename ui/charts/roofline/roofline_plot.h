// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/series_plot.h"
#include "ui/charts/roofline/roofline_figure.h"

namespace flopsmith::ui {

inline constexpr double kDiamondReach = 1.25; ///< of a measured dot, in its radius
inline constexpr double kRingInset =
    0.9; ///< of a computed dot: a little less than half its outline

/// The layers of a roofline that Qt Charts draws: the foot of the ridge, ceilings and roof, and
/// over them the operations. Roofs of a data sheet are solid, measured ones dashed.
PlotContent rooflinePlot(const RooflineChart& chart,
                         const RooflineLayout& layout,
                         const ChartStyle& style);

} // namespace flopsmith::ui
