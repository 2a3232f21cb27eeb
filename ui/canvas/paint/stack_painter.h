// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/base/stack_geometry.h"

#include <QString>

QT_BEGIN_NAMESPACE
class QPainter;
QT_END_NAMESPACE

namespace flopsmith::ui {

struct Theme;

/// How a row is highlighted: selection, focus, drop target.
struct RowLook
{
    bool selected = false;
    bool focused = false;
    int dropPart = -1; ///< part that a drop would replace
    bool dropRow = false; ///< a drop here would change the whole row
    QString dropText; ///< what the drop would do: "add stage"
};

/// Draws one frame of the stack with its parts, bars and values.
void paintRow(QPainter& painter,
              const StackRow& row,
              const RowGeometry& geometry,
              const RowLook& look,
              const Theme& theme);

/// Draws the frame of a pattern behind its rows, and above them what it is and how often it comes.
void paintPattern(QPainter& painter,
                  const StackPattern& pattern,
                  const PatternGeometry& geometry,
                  const QString& title,
                  bool selected,
                  const Theme& theme);

/// The dashed drop target at the end of the stack.
void paintDropZone(QPainter& painter, const QRectF& place, bool lit, const Theme& theme);

/// The fonts of titles and of chips, derived from the canvas's font.
QFont titleFont(QFont font);
QFont chipFont(const QFont& font);

} // namespace flopsmith::ui
