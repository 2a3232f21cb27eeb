// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/label_places.h"
#include "ui/charts/roofline/roofline_figure.h"

#include <array>

namespace flopsmith::ui {

inline constexpr double kRooflineTextSize = 0.85; ///< of texts inside the plot

inline constexpr double kRooflineKeySign = 16.0; ///< width of ring or diamond before its text

/// The total of a point's share: the lower bound's seconds, or the measured ones.
QString rooflineShareTitle(Origin origin);

/// The meaning of rings and diamonds.
std::array<QString, 2> rooflineKeyTexts();

QSizeF rooflineTextSize(const QString& text, const ChartStyle& style);

/// Places the names of the roofs next to them, in free places of the plot; a text without one stays
/// empty. Roofs, ceilings and ridge of the layout must have their places.
void placeRoofTexts(const RooflineChart& chart,
                    const ChartStyle& style,
                    LabelPlaces& places,
                    RooflineLayout& layout);

} // namespace flopsmith::ui
