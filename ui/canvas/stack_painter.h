// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/stack_geometry.h"

#include <QString>

QT_BEGIN_NAMESPACE
class QPainter;
QT_END_NAMESPACE

namespace flopsmith::ui {

struct Theme;

/// What is special about a row at this moment.
struct RowLook
{
    bool selected = false;
    bool focused = false;
    int dropPart = -1; ///< part that something would replace
    bool dropRow = false; ///< something would be put here that concerns the whole row
    QString dropText; ///< what would happen: "add stage"
};

/// Draws one frame of the stack with its parts, bars and values.
void paintRow(QPainter& painter,
              const StackRow& row,
              const RowGeometry& geometry,
              const RowLook& look,
              const Theme& theme);

/// The dashed place at the end of the stack.
void paintDropZone(QPainter& painter, const QRectF& place, bool lit, const Theme& theme);

/// The font of chips, relative to the canvas's own.
QFont chipFont(const QFont& font);

} // namespace flopsmith::ui
