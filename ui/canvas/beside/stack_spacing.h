// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/stack/stack_columns.h"
#include "ui/canvas/base/stack_geometry.h"

#include <vector>

namespace flopsmith::ui {

/// Where the rows of a stack stand, for columnLayout().
std::vector<ColumnSpan> rowSpans(const StackGeometry& geometry, const StackPicture& picture);

/// The least height of a box beside the rows: that of the lowest run.
double leastBox(const StackGeometry& geometry, const StackPicture& picture);

/// Moves the rows down by so much further space above each and, at last, above the drop zone.
void giveWay(StackGeometry& geometry,
             const StackPicture& picture,
             const std::vector<double>& before);

} // namespace flopsmith::ui
