// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace flopsmith::ui {

class DesignColumn;

/// From now on a DesignColumn is an accessible list with an item for each box.
void installColumnAccessibility();

/// Says that the current box has changed.
void announceCurrentBox(DesignColumn& column);

} // namespace flopsmith::ui
