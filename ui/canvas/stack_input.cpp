// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/input/stack_tool_tip.h"
#include "ui/canvas/stack_view.h"
#include "ui/widgets/disabled_action.h"
#include "ui/widgets/explain/explainer.h"

#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QNativeGestureEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <utility>

// Mouse and keyboard input of the stack, and its tool tips.

namespace flopsmith::ui {

void StackView::mousePressEvent(QMouseEvent* event)
{
    m_drag.cancel();
    refresh();
    if (const int pattern = patternAt(event->pos()); pattern >= 0) {
        m_rows.choosePattern(pattern);
        event->accept();
        return;
    }
    const int row = rowAt(event->pos());
    const bool left = event->button() == Qt::LeftButton;
    const bool onRow = m_layout.isRow(row);
    const bool extends = (event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier)) != 0;
    m_beforePress = m_document.selection();
    // One of several selected runs may be dragged with the others; the menu is about all of them.
    const bool stays = m_beforePress.contains(runOf(row)) && !extends;
    m_selectsOnRelease = left && stays && m_beforePress.isSeveral();
    if ((left || !m_beforePress.contains(runOf(row))) && !m_selectsOnRelease) {
        m_rows.choose(row, event->modifiers());
    }
    m_pressed = left && onRow ? std::optional(event->pos()) : std::nullopt;
    if (left && !onRow) {
        m_rows.beginBand(event->pos());
    } else {
        m_rows.endBand();
    }
    event->accept();
}

void StackView::mouseMoveEvent(QMouseEvent* event)
{
    if (m_rows.hasBand() && (event->buttons() & Qt::LeftButton) != 0) {
        m_rows.stretchBand(event->pos());
        return;
    }
    if (m_drag.isActive()) {
        followDrag(*event);
        return;
    }
    if (!m_pressed || (event->buttons() & Qt::LeftButton) == 0) {
        return;
    }
    if ((event->pos() - *m_pressed).manhattanLength() >= QApplication::startDragDistance()) {
        startDrag(event->pos(), event->modifiers());
    }
}

// A press with Ctrl or Shift has changed the selection, which a drag leaves as it was.
void StackView::startDrag(const QPoint& place, Qt::KeyboardModifiers modifiers)
{
    const QPointF pressed = mapToScene(*std::exchange(m_pressed, std::nullopt));
    m_selectsOnRelease = false;
    if ((modifiers & (Qt::ControlModifier | Qt::ShiftModifier)) != 0) {
        m_document.select(m_beforePress); // which may scroll
    }
    m_drag.grab(mapFromScene(pressed), modifiers);
    m_drag.follow(place, modifiers);
}

void StackView::followDrag(const QMouseEvent& event)
{
    const bool isLost = (event.buttons() & Qt::LeftButton) == 0; // it came up over another window
    if (isLost && !m_drag.isByKeys()) {
        m_drag.cancel();
    } else {
        m_drag.follow(event.pos(), event.modifiers());
    }
}

void StackView::connectDrag()
{
    connect(&m_drag, &StackDrag::told, this, &StackView::dragTold);
    connect(&m_drops, &EntryDrop::told, this, &StackView::dragTold);
    connect(&m_drops, &EntryDrop::refused, this, &StackView::dropRefused);
    connect(&m_feedback, &DragFeedback::activeChanged, this, [this] {
        rebuildItems(); // which may be painted further down meanwhile
        viewport()->update();
    });
    connect(&m_actions.pickUp(), &QAction::triggered, &m_drag, &StackDrag::pickUp);
}

void StackView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) {
        m_drag.drop(event->pos(), event->modifiers());
    }
    if (m_selectsOnRelease) {
        chooseRow(rowAt(event->pos()));
    }
    m_selectsOnRelease = false;
    m_pressed.reset();
    m_rows.endBand();
    event->accept();
}

void StackView::mouseDoubleClickEvent(QMouseEvent* event)
{
    mousePressEvent(event);
    if (event->button() == Qt::LeftButton && runOf(rowAt(event->pos())) >= 0) {
        m_pressed.reset(); // the button comes up over the inside of the block
        m_actions.inside().trigger();
    }
}

void StackView::keyPressEvent(QKeyEvent* event)
{
    refresh();
    if (m_drag.isActive()) {
        m_drag.press(*event);
        return;
    }
    if (m_rows.press(*event)) {
        return;
    }
    if (event->key() == Qt::Key_Space) {
        m_actions.inside().trigger();
        return;
    }
    if (const QString why = refusalOf(actions(), *event); !why.isEmpty()) {
        Q_EMIT dropRefused(why);
        return;
    }
    StackSurface::keyPressEvent(event);
}

void StackView::keyReleaseEvent(QKeyEvent* event)
{
    m_drag.release(*event);
    StackSurface::keyReleaseEvent(event);
}

// While blocks are picked up, every key belongs to them: no shortcut changes the document.
bool StackView::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && m_drag.isActive()) {
        event->accept();
        return true;
    }
    return StackSurface::event(event);
}

void StackView::contextMenuEvent(QContextMenuEvent* event)
{
    m_drag.cancel();
    const int row = rowAt(event->pos());
    if (event->reason() == QContextMenuEvent::Mouse
        && !m_document.selection().contains(runOf(row))) {
        chooseRow(row);
    }
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("stack.menu"));
    menu->setAccessibleName(tr("What to do with the selected blocks"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    m_actions.fill(*menu);
    menu->addSeparator();
    menu->addAction(tr("What is t&his?"), this, [this] { Explainer::openFor(*this); });
    menu->popup(event->globalPos());
}

// With Ctrl, each step of the wheel over a pattern's head is a repeat more or fewer.
bool StackView::turnTimes(const QWheelEvent& event)
{
    constexpr int kStep = 120;
    refresh();
    const QPoint place = event.position().toPoint();
    const int pattern = patternAt(place);
    if (pattern < 0 || (event.modifiers() & Qt::ControlModifier) == 0
        || !m_layout.geometry.patterns[static_cast<std::size_t>(pattern)].badge.contains(
            mapToScene(place))) { // elsewhere Ctrl and the wheel zoom
        m_turned = 0;
        return false;
    }
    m_turned += event.angleDelta().y();
    const int steps = m_turned / kStep;
    m_turned -= steps * kStep;
    if (steps != 0) {
        m_actions.patterns().changeTimes(
            m_layout.picture.patterns[static_cast<std::size_t>(pattern)].pattern, steps);
    }
    return true;
}

bool StackView::viewportEvent(QEvent* event)
{
    switch (event->type()) {
    case QEvent::Wheel:
        if (const auto& wheel = *static_cast<QWheelEvent*>(event);
            turnTimes(wheel) || m_zoom.turn(wheel)) {
            event->accept();
            return true;
        }
        break;
    case QEvent::NativeGesture:
        if (m_zoom.pinch(*static_cast<const QNativeGestureEvent*>(event))) {
            return true;
        }
        break;
    case QEvent::ToolTip: {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString text = stackToolTip(m_layout, mapToScene(help->pos()));
        QToolTip::showText(help->globalPos(), text, viewport());
        return true;
    }
    case QEvent::DragEnter:
    case QEvent::DragMove:
    case QEvent::DragLeave:
    case QEvent::Drop: m_drops.answer(*event); return true;
    default: break;
    }
    return StackSurface::viewportEvent(event);
}

} // namespace flopsmith::ui
