// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/input/stack_pointer.h"

#include <QAction>
#include <QApplication>
#include <QMouseEvent>

#include <utility>

namespace flopsmith::ui {
namespace {

bool extendsSelection(const QMouseEvent& event)
{
    return (event.modifiers() & (Qt::ControlModifier | Qt::ShiftModifier)) != 0;
}

bool holdsLeft(const QMouseEvent& event)
{
    return (event.buttons() & Qt::LeftButton) != 0;
}

} // namespace

StackPointer::StackPointer(Document& document,
                           StackSurface& surface,
                           RowSelection& rows,
                           StackDrag& drag,
                           QAction& open)
    : m_document(document)
    , m_surface(surface)
    , m_rows(rows)
    , m_drag(drag)
    , m_open(open)
{}

void StackPointer::answer(QMouseEvent& event)
{
    event.accept();
    switch (event.type()) {
    case QEvent::MouseButtonPress: press(event); break;
    case QEvent::MouseMove: move(event); break;
    case QEvent::MouseButtonRelease: release(event); break;
    case QEvent::MouseButtonDblClick:
        press(event);
        if (event.button() == Qt::LeftButton
            && m_surface.runOf(m_surface.rowAt(event.pos())) >= 0) {
            m_pressed.reset(); // the button comes up over the inside of the block
            m_open.trigger();
        }
        break;
    default: break;
    }
}

void StackPointer::press(const QMouseEvent& event)
{
    m_drag.cancel();
    m_surface.refresh();
    const StackLayout& layout = m_surface.stackLayout();
    const QPointF point = m_surface.mapToScene(event.pos());
    if (const int pattern = layout.patternAt(point); pattern >= 0) {
        m_rows.choosePattern(pattern);
        return;
    }
    const int row = layout.rowAt(point);
    const bool left = event.button() == Qt::LeftButton;
    const bool onRow = layout.isRow(row);
    m_beforePress = m_document.selection();
    const bool isSelected = m_beforePress.contains(layout.runOf(row));
    // One of several selected runs may be dragged with the others; the menu is about all of them.
    m_selectsOnRelease =
        left && isSelected && m_beforePress.isSeveral() && !extendsSelection(event);
    if ((left || !isSelected) && !m_selectsOnRelease) {
        m_rows.choose(row, event.modifiers());
    }
    m_pressed = left && onRow ? std::optional(event.pos()) : std::nullopt;
    if (left && !onRow) {
        m_rows.beginBand(event.pos());
    } else {
        m_rows.endBand();
    }
}

void StackPointer::move(const QMouseEvent& event)
{
    if (m_rows.hasBand() && holdsLeft(event)) {
        m_rows.stretchBand(event.pos());
    } else if (m_drag.isActive()) {
        // The button may have come up over another window.
        if (holdsLeft(event) || m_drag.isByKeys()) {
            m_drag.follow(event.pos(), event.modifiers());
        } else {
            m_drag.cancel();
        }
    } else if (m_pressed && holdsLeft(event)
               && (event.pos() - *m_pressed).manhattanLength()
                   >= QApplication::startDragDistance()) {
        startDrag(event);
    }
}

// A press with Ctrl or Shift has changed the selection, which a drag leaves as it was.
void StackPointer::startDrag(const QMouseEvent& event)
{
    const QPointF pressed = m_surface.mapToScene(*std::exchange(m_pressed, std::nullopt));
    m_selectsOnRelease = false;
    if (extendsSelection(event)) {
        m_document.select(m_beforePress); // which may scroll
    }
    m_drag.grab(m_surface.mapFromScene(pressed), event.modifiers());
    m_drag.follow(event.pos(), event.modifiers());
}

void StackPointer::release(const QMouseEvent& event)
{
    if (event.button() == Qt::LeftButton) {
        m_drag.drop(event.pos(), event.modifiers());
    }
    if (m_selectsOnRelease) {
        m_surface.chooseRow(m_surface.rowAt(event.pos()));
    }
    m_selectsOnRelease = false;
    m_pressed.reset();
    m_rows.endBand();
}

} // namespace flopsmith::ui
