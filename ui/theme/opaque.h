// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace flopsmith::ui {

/// Spares painting what is below a widget that paints all of itself; not on a screen with a
/// fractional scale, where the pixels at its edges belong to both.
void paintOpaque(QWidget& widget);

} // namespace flopsmith::ui
