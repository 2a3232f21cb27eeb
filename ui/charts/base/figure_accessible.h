// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/figure.h"

#include <QString>

#include <vector>

namespace flopsmith::ui {

/// Lets screen readers see a FigureView as a chart with a summary. Does nothing when it is
/// called again.
void installFigureAccessibility();

/// What a screen reader says of the hotspot of that index, or, if there is none, of the whole figure
/// and of what is marked in it. `hotspots` and `places` are the figure's.
QString spoken(const Figure& figure,
               const std::vector<Hotspot>& hotspots,
               const std::vector<ChartPlace>& places,
               int hotspot,
               const ChartMark& mark);

} // namespace flopsmith::ui
