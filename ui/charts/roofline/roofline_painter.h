// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/roofline/roofline_figure.h"

namespace flopsmith::ui {

/// Draws grid, texts and the list of the longest operations where `layout` of the same chart
/// has put them.
void drawRoofline(PlottedPicture& picture,
                  const RooflineChart& chart,
                  const RooflineLayout& layout,
                  const ChartStyle& style);

} // namespace flopsmith::ui
