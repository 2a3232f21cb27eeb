// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace flopsmith::ui {

/// Gives stop sliders, value boxes and combo boxes an accessible name and value: Qt's own
/// interfaces report a slider's index, no number of a spin box, and a combo box's choice as its
/// name.
void installValueAccessibility();

} // namespace flopsmith::ui
