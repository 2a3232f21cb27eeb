// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/share/share_layout.h"

#include <span>

namespace flopsmith::ui {

/// The table below the donuts. `rows` are all rows of their legend, of which `place` shows some.
void drawLegend(Drawing& drawing,
                std::span<const Donut> donuts,
                std::span<const LegendRow> rows,
                const LegendPlace& place,
                const ChartStyle& style);

} // namespace flopsmith::ui
