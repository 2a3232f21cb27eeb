// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/actions/stack_actions.h"
#include "ui/canvas/drag/entry_drop.h"
#include "ui/canvas/input/row_selection.h"
#include "ui/canvas/input/stack_pointer.h"
#include "ui/canvas/zoom/stack_zoom.h"

QT_BEGIN_NAMESPACE
class QContextMenuEvent;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// What the stack can do, for the events that it gets.
struct StackTools
{
    StackActions& actions;
    StackZoom& zoom;
    RowSelection& rows;
    StackDrag& drag;
    EntryDrop& drops;
};

/// Gives each event of the stack to the object that answers it.
class StackInput : public QObject
{
    Q_OBJECT

public:
    StackInput(Document& document, StackSurface& surface, const StackTools& tools);

    /// False of an event of the viewport that is none of the pointer's.
    bool answer(QEvent& event);

    /// False of a key that means nothing to the stack.
    bool press(QKeyEvent& event);

    void openMenu(const QContextMenuEvent& event);

Q_SIGNALS:
    /// The key is one of an action that cannot be done now; why not.
    void refused(const QString& sentence);

private:
    bool turnWheel(QWheelEvent& event);
    bool turnTimes(const QWheelEvent& event);

    Document& m_document;
    StackSurface& m_surface;
    StackTools m_tools;
    StackPointer m_pointer;
    int m_turned = 0; ///< of the wheel over a pattern's badge, less than one step
};

} // namespace flopsmith::ui
