// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/paint/zoomed_painter.h"
#include "ui/canvas/stack_view.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8.h"

#include <QAction>
#include <QApplication>
#include <QNativeGestureEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>

// How large the stack is shown, and what it shows then.

namespace flopsmith::ui {
namespace {

constexpr double kUnitsPerNotch = 120.0; // of Qt's wheel events

} // namespace

void StackView::connectZoom()
{
    const auto on = [this](QAction& action, auto run) {
        connect(&action, &QAction::triggered, this, run);
    };
    on(m_zoomActions.larger(), [this] { setZoom(steppedZoom(m_zoom, 1)); });
    on(m_zoomActions.smaller(), [this] { setZoom(steppedZoom(m_zoom, -1)); });
    on(m_zoomActions.actualSize(), [this] { setZoom(1.0); });
    on(m_zoomActions.fit(), [this] { zoomToFit(); });
    on(m_zoomActions.selection(), [this] { zoomToSelection(); });
}

void StackView::setZoom(double zoom)
{
    zoomAbout(zoom, viewport()->height() / 2.0);
}

void StackView::zoomAbout(double zoom, qreal height)
{
    refresh();
    const double legal = legalZoom(zoom);
    if (legal == m_zoom) {
        return;
    }
    const StackAnchor anchor = anchorAt(m_layout.geometry, height + verticalScrollBar()->value());
    m_zoom = legal;
    layOut();
    if (isVisible()) { // before, the height is not that of the window
        verticalScrollBar()->setValue(qRound(heightOf(m_layout.geometry, anchor) - height));
    }
    Q_EMIT noteChanged(note());
}

void StackView::zoomToFit()
{
    refresh();
    setZoom(fitting({0, m_layout.rowCount() - 1}, 1.0));
    verticalScrollBar()->setValue(0);
}

void StackView::zoomToSelection()
{
    refresh();
    const RowRange rows = m_layout.selectedRange(m_document.selection());
    setZoom(fitting(rows, kMaxZoom));
    const qreal top = m_layout.geometry.rows[static_cast<std::size_t>(rows.first)].frame.top();
    const qreal bottom = m_layout.geometry.rows[static_cast<std::size_t>(rows.last)].frame.bottom();
    verticalScrollBar()->setValue(qRound((top + bottom - viewport()->height()) / 2.0));
}

QString StackView::note() const
{
    const QString note = fromUtf8(m_layout.picture.note);
    return m_zoom == 1.0 ? note : tr("%1, zoom %2").arg(note, fromUtf8(zoomText(m_zoom)));
}

void StackView::wheelEvent(QWheelEvent* event)
{
    if ((event->modifiers() & Qt::ControlModifier) == 0) {
        StackSurface::wheelEvent(event);
        return;
    }
    zoomAbout(wheeledZoom(m_zoom, event->angleDelta().y() / kUnitsPerNotch), event->position().y());
    event->accept();
}

// Two fingers on a touch pad.
bool StackView::pinch(const QNativeGestureEvent& event)
{
    if (event.gestureType() != Qt::ZoomNativeGesture) {
        return false;
    }
    zoomAbout(m_zoom * (1.0 + event.value()), event.position().y());
    return true;
}

void StackView::paintOperationsOf(QPainter& painter, int row) const
{
    const auto index = static_cast<std::size_t>(row);
    const int run = runOf(row);
    const bool exists = run >= 0 && run < static_cast<int>(m_document.model().runs.size());
    if (m_layout.geometry.detail != StackDetail::operations
        || !exists // the model may be a frame ahead
        || !m_showsCosts) {
        return;
    }
    if (!m_opened.contains(run)) {
        m_opened[run] =
            insidePicture(m_document.scenario(), m_document.costTree(), m_document.lens(), run);
    }
    const Block& block = m_document.model().runs[static_cast<std::size_t>(run)].block;
    painter.setFont(font());
    for (std::size_t i = 0; i < m_layout.geometry.rows[index].parts.size(); ++i) {
        paintOperations(
            painter,
            m_layout.geometry.rows[index].parts[i].operations,
            partOperations(m_opened[run], block, m_layout.picture.rows[index].parts[i].role),
            systemTheme());
    }
}

} // namespace flopsmith::ui
