// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/input/stack_tool_tip.h"
#include "ui/canvas/stack_view.h"
#include "ui/widgets/disabled_action.h"
#include "ui/widgets/explain/explainer.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QNativeGestureEvent>
#include <QToolTip>
#include <QWheelEvent>

// Mouse and keyboard input of the stack, and its tool tips.

namespace flopsmith::ui {

void StackView::connectDrag()
{
    connect(&m_drag, &StackDrag::told, this, &StackView::dragTold);
    connect(&m_drops, &EntryDrop::told, this, &StackView::dragTold);
    connect(&m_drops, &EntryDrop::refused, this, &StackView::dropRefused);
    connect(&m_feedback, &DragFeedback::activeChanged, this, [this] {
        m_scene.rebuild(m_notes.bottom()); // which may be painted further down meanwhile
        viewport()->update();
    });
    connect(&m_actions.pickUp(), &QAction::triggered, &m_drag, &StackDrag::pickUp);
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
    case QEvent::MouseButtonPress:
    case QEvent::MouseMove:
    case QEvent::MouseButtonRelease:
    case QEvent::MouseButtonDblClick:
        if (isEnabled()) {
            m_pointer.answer(*static_cast<QMouseEvent*>(event));
            return true;
        }
        break;
    case QEvent::DragEnter:
    case QEvent::DragMove:
    case QEvent::DragLeave:
    case QEvent::Drop: m_drops.answer(*event); return true;
    default: break;
    }
    return StackSurface::viewportEvent(event);
}

} // namespace flopsmith::ui
