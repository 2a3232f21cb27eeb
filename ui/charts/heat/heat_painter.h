// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/heat/heat_layout.h"

#include <QColor>

namespace flopsmith::ui {

/// For a legal combination; otherwise the background below its hatching.
QColor heatColour(const HeatCell& cell, const Theme& theme);

void drawHeat(Drawing& drawing,
              const HeatMap& map,
              const HeatLayout& layout,
              const ChartStyle& style);

/// A ring that is seen on every colour.
void addRing(Drawing& drawing, const QRectF& rect, double radius, const Theme& theme);

} // namespace flopsmith::ui
