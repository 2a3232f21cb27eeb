// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace flopsmith::ui {

/// Avoids painting below a widget that paints all of its area. Has no effect on a screen with a
/// fractional scale, where the pixels at its edges also show the widget below.
void paintOpaque(QWidget& widget);

} // namespace flopsmith::ui
