// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/zoom/stack_zoom.h"

#include "ui/canvas/paint/stack_painter.h"
#include "ui/theme/utf8.h"

#include <QAction>
#include <QNativeGestureEvent>
#include <QScrollBar>
#include <QWheelEvent>

namespace flopsmith::ui {
namespace {

constexpr double kUnitsPerNotch = 120.0; // of Qt's wheel events

} // namespace

StackZoom::StackZoom(StackSurface& surface)
    : m_surface(surface)
    , m_actions(surface)
{
    const auto on = [this](QAction& action, auto run) {
        connect(&action, &QAction::triggered, this, run);
    };
    on(m_actions.larger(), [this] { set(steppedZoom(m_factor, 1)); });
    on(m_actions.smaller(), [this] { set(steppedZoom(m_factor, -1)); });
    on(m_actions.actualSize(), [this] { set(1.0); });
    on(m_actions.fit(), [this] { toFit(); });
    on(m_actions.selection(), [this] { toSelection(); });
}

void StackZoom::set(double factor)
{
    setAbout(factor, m_surface.viewport()->height() / 2.0);
}

void StackZoom::setAbout(double factor, qreal height)
{
    m_surface.refresh();
    const double legal = legalZoom(factor);
    if (legal == m_factor) {
        return;
    }
    QScrollBar& bar = *m_surface.verticalScrollBar();
    const StackAnchor anchor = anchorAt(m_surface.geometryOfStack(), height + bar.value());
    m_factor = legal;
    m_surface.layOut();
    if (m_surface.isVisible()) { // before, the height is not that of the window
        bar.setValue(qRound(heightOf(m_surface.geometryOfStack(), anchor) - height));
    }
    Q_EMIT changed();
}

double StackZoom::fitting(const RowRange& rows, double most) const
{
    return fittingZoom(
        m_surface.picture(), m_surface.viewport()->size(), titleFont(m_surface.font()), rows, most);
}

void StackZoom::toFit()
{
    m_surface.refresh();
    set(fitting({0, m_surface.stackLayout().rowCount() - 1}, 1.0));
    m_surface.verticalScrollBar()->setValue(0);
}

void StackZoom::toSelection()
{
    m_surface.refresh();
    const RowRange rows = m_surface.stackLayout().selectedRange(m_surface.selection());
    set(fitting(rows, kMaxZoom));
    const auto& placed = m_surface.geometryOfStack().rows;
    const qreal top = placed[static_cast<std::size_t>(rows.first)].frame.top();
    const qreal bottom = placed[static_cast<std::size_t>(rows.last)].frame.bottom();
    m_surface.verticalScrollBar()->setValue(
        qRound((top + bottom - m_surface.viewport()->height()) / 2.0));
}

QString StackZoom::note() const
{
    const QString note = fromUtf8(m_surface.picture().note);
    return m_factor == 1.0 ? note : tr("%1, zoom %2").arg(note, fromUtf8(zoomText(m_factor)));
}

bool StackZoom::turn(const QWheelEvent& event)
{
    if ((event.modifiers() & Qt::ControlModifier) == 0) {
        return false;
    }
    setAbout(wheeledZoom(m_factor, event.angleDelta().y() / kUnitsPerNotch), event.position().y());
    return true;
}

bool StackZoom::pinch(const QNativeGestureEvent& event)
{
    if (event.gestureType() != Qt::ZoomNativeGesture) {
        return false;
    }
    setAbout(m_factor * (1.0 + event.value()), event.position().y());
    return true;
}

} // namespace flopsmith::ui

#include "moc_stack_zoom.cpp"
