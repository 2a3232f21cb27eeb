// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace flopsmith::ui {

class StackView;

/// Lets screen readers see the stack as a tree: an item for each row, below it one for each of its
/// parts, with the cost as the value. Does nothing when it is called again.
void installStackAccessibility();

/// Tells screen readers that a row of the stack is the current one now.
void announceCurrentRow(StackView& view);

} // namespace flopsmith::ui
