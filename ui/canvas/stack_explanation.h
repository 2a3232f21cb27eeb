// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/base/stack_layout.h"

#include <QString>

namespace flopsmith::ui {

/// What the parts of a row of the stack are, as rich text: the variants of a run, muted or not, or
/// the kind of a norm, of a head, or of positions.
QString whatIs(const Model& model, const StackRow& row);

/// What screen readers say of the stack: the selected row, and then all rows with their costs.
QString stackDescription(const Scenario& scenario,
                         const Selection& selection,
                         const StackLayout& layout);

} // namespace flopsmith::ui
