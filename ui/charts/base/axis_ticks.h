// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/base/ticks.h"
#include "ui/charts/base/drawing.h"

namespace flopsmith::ui {

/// Where the ticks of a plot are drawn: their lines across it, and their texts beside it.
struct TickPlaces
{
    QRectF plot{};
    double textSize = kSmallTextSize; ///< relative to ordinary text
    double gap = 3.0; ///< pixels between the plot and the texts below it
};

/// The grid's vertical lines and the texts below them. A text knows its value (Label::tick).
void drawXTicks(Drawing& grid,
                Drawing& texts,
                const TickPlaces& places,
                const TickAxis& axis,
                const ChartStyle& style);

/// The grid's horizontal lines and the texts on their left.
void drawYTicks(Drawing& grid,
                Drawing& texts,
                const TickPlaces& places,
                const TickAxis& axis,
                const ChartStyle& style);

/// Short lines and texts on the right, for a second axis.
void drawRightTicks(Drawing& drawing,
                    const TickPlaces& places,
                    const TickAxis& axis,
                    const QColor& ink,
                    const ChartStyle& style);

} // namespace flopsmith::ui
