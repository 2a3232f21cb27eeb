// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace flopsmith::ui {

/// Lets screen readers see a FigureView as a chart with a summary. Does nothing when it is
/// called again.
void installFigureAccessibility();

} // namespace flopsmith::ui
