// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/base/stack_surface.h"
#include "ui/document/document.h"

QT_BEGIN_NAMESPACE
class QKeyEvent;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Changes which rows of the stack are selected: from the current one to the next, or to others.
class RowSelection
{
public:
    RowSelection(Document& document, StackSurface& surface);

    /// Selects the row alone; Ctrl adds a run or takes it away, Shift extends the selection to it.
    void choose(int row, Qt::KeyboardModifiers modifiers);

    /// Selects all runs of a pattern's period.
    void choosePattern(int pattern);

    /// Takes arrows, Home, End and Esc; false of another key.
    bool press(QKeyEvent& event);

private:
    void moveBy(int rows);
    void extendBy(int runs);

    Document& m_document;
    StackSurface& m_surface;
};

} // namespace flopsmith::ui
