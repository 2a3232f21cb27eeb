// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/drag/stack_drag.h"
#include "ui/canvas/input/row_selection.h"

#include <optional>

QT_BEGIN_NAMESPACE
class QAction;
class QMouseEvent;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// What the mouse does on the stack: a click selects, a drag moves blocks or draws a rubber band, a
/// double click opens a block.
class StackPointer
{
public:
    /// `open` looks inside the selected block.
    StackPointer(Document& document,
                 StackSurface& surface,
                 RowSelection& rows,
                 StackDrag& drag,
                 QAction& open);

    /// Answers a mouse event of the viewport.
    void answer(QMouseEvent& event);

private:
    void press(const QMouseEvent& event);
    void move(const QMouseEvent& event);
    void release(const QMouseEvent& event);
    void startDrag(const QMouseEvent& event);

    Document& m_document;
    StackSurface& m_surface;
    RowSelection& m_rows;
    StackDrag& m_drag;
    QAction& m_open;
    std::optional<QPoint> m_pressed; ///< on a row, from where a drag may start
    Selection m_beforePress;
    bool m_selectsOnRelease = false; ///< pressed on one of several selected runs
};

} // namespace flopsmith::ui
