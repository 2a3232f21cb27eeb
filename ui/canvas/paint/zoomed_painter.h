// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/inside/part_operations.h"
#include "ui/canvas/base/stack_geometry.h"
#include "ui/canvas/paint/stack_painter.h"

namespace flopsmith::ui {

/// Draws a row as a bar with a piece for each part, where the zoom shows no more.
void paintRowAsBar(QPainter& painter,
                   const StackRow& row,
                   const RowGeometry& geometry,
                   const RowLook& look,
                   const Theme& theme);

/// Draws the operations of a part into the place: their texts, and below these a bar with a piece for
/// each. The painter's font is that of the texts.
void paintOperations(QPainter& painter,
                     const QRectF& place,
                     const std::vector<PartOperation>& operations,
                     const Theme& theme);

} // namespace flopsmith::ui
