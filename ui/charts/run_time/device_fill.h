// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/drawing.h"

#include <cstddef>
#include <cstdint>

namespace flopsmith::ui {

/// How many fills tell devices apart; the next device starts again with the first.
inline constexpr std::size_t kDeviceFills = 6;

/// A bar of the device of this number. The component gives the colour, the device the manner: full,
/// light in an outline, hatched, outline alone, light and hatched, dotted. The same in every chart.
void fillForDevice(Drawing& drawing, const QRectF& bar, const QColor& colour, std::size_t device);

/// Where a series has one colour for all its parts, as in a plot for LaTeX.
std::uint32_t colourOfDevice(std::size_t device);

} // namespace flopsmith::ui
