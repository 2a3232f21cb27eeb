// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/drawing.h"

#include <cstddef>
#include <cstdint>

namespace flopsmith::ui {

/// The number of different fills for devices; further devices repeat them.
inline constexpr std::size_t kDeviceFills = 6;

/// A bar of the device with this index. The component determines the colour, the device the fill:
/// solid, light with an outline, hatched, outline only, light and hatched, dotted. The same in
/// every chart.
void fillForDevice(Drawing& drawing, const QRectF& bar, const QColor& colour, std::size_t device);

/// Where a series has one colour for all its parts, as in a plot for LaTeX.
std::uint32_t colourOfDevice(std::size_t device);

} // namespace flopsmith::ui
