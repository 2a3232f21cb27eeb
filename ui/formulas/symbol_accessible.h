// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace flopsmith::ui {

/// Tells assistive technology that a SymbolHandle is a slider with a value and a range.
void installSymbolAccessibility();

} // namespace flopsmith::ui
