// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace flopsmith::ui {

/// Gives sliders of stops, value boxes and combo boxes a name and a value for screen readers: Qt's
/// own say a slider's index, no number of a spin box, and a combo box's choice as its name.
void installValueAccessibility();

} // namespace flopsmith::ui
