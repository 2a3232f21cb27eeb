// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/input/stack_input.h"

#include "ui/canvas/input/stack_tool_tip.h"
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

namespace flopsmith::ui {

StackInput::StackInput(Document& document, StackSurface& surface, const StackTools& tools)
    : QObject(&surface)
    , m_document(document)
    , m_surface(surface)
    , m_tools(tools)
    , m_pointer(document, surface, tools.rows, tools.drag, tools.actions.inside())
{}

bool StackInput::answer(QEvent& event)
{
    switch (event.type()) {
    case QEvent::Wheel: return turnWheel(static_cast<QWheelEvent&>(event));
    case QEvent::NativeGesture:
        return m_tools.zoom.pinch(static_cast<const QNativeGestureEvent&>(event));
    case QEvent::ToolTip: {
        const auto& help = static_cast<const QHelpEvent&>(event);
        const QPointF point = m_surface.mapToScene(help.pos());
        QToolTip::showText(
            help.globalPos(), stackToolTip(m_surface.stackLayout(), point), m_surface.viewport());
        return true;
    }
    case QEvent::MouseButtonPress:
    case QEvent::MouseMove:
    case QEvent::MouseButtonRelease:
    case QEvent::MouseButtonDblClick:
        if (m_surface.isEnabled()) {
            m_pointer.answer(static_cast<QMouseEvent&>(event));
        }
        return m_surface.isEnabled();
    case QEvent::DragEnter:
    case QEvent::DragMove:
    case QEvent::DragLeave:
    case QEvent::Drop: m_tools.drops.answer(event); return true;
    default: return false;
    }
}

bool StackInput::turnWheel(QWheelEvent& event)
{
    if (turnTimes(event) || m_tools.zoom.turn(event)) {
        event.accept();
        return true;
    }
    return false;
}

// With Ctrl, each step over a pattern's badge is a repeat more or fewer; elsewhere it zooms.
bool StackInput::turnTimes(const QWheelEvent& event)
{
    constexpr int kStep = 120;
    m_surface.refresh();
    const auto& [picture, geometry] = m_surface.stackLayout();
    const QPointF point = m_surface.mapToScene(event.position().toPoint());
    const int at = m_surface.stackLayout().patternAt(point);
    const auto pattern = static_cast<std::size_t>(at);
    if (at < 0 || (event.modifiers() & Qt::ControlModifier) == 0
        || !geometry.patterns[pattern].badge.contains(point)) {
        m_turned = 0;
        return false;
    }
    m_turned += event.angleDelta().y();
    const int steps = m_turned / kStep;
    m_turned -= steps * kStep;
    if (steps != 0) {
        m_tools.actions.patterns().changeTimes(picture.patterns[pattern].pattern, steps);
    }
    return true;
}

bool StackInput::press(QKeyEvent& event)
{
    m_surface.refresh();
    if (m_tools.drag.isActive()) {
        m_tools.drag.press(event);
        return true;
    }
    if (m_tools.rows.press(event)) {
        return true;
    }
    if (event.key() == Qt::Key_Space) {
        m_tools.actions.inside().trigger();
        return true;
    }
    const QString why = refusalOf(m_surface.actions(), event);
    if (!why.isEmpty()) {
        Q_EMIT refused(why);
    }
    return !why.isEmpty();
}

// A click on a row that is not selected selects it first.
void StackInput::openMenu(const QContextMenuEvent& event)
{
    m_tools.drag.cancel();
    const int row = m_surface.rowAt(event.pos());
    if (event.reason() == QContextMenuEvent::Mouse
        && !m_document.selection().contains(m_surface.runOf(row))) {
        m_surface.chooseRow(row);
    }
    auto* menu = new QMenu(&m_surface);
    menu->setObjectName(QStringLiteral("stack.menu"));
    menu->setAccessibleName(tr("What to do with the selected blocks"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    m_tools.actions.fill(*menu);
    menu->addSeparator();
    menu->addAction(tr("What is t&his?"), this, [this] { Explainer::openFor(m_surface); });
    menu->popup(event.globalPos());
}

} // namespace flopsmith::ui

#include "moc_stack_input.cpp"
