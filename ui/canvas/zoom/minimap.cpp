// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/zoom/minimap.h"

#include "ui/theme/opaque.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QApplication>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <utility>

namespace flopsmith::ui {
namespace {

constexpr int kMinimapWidth = 16;
constexpr qreal kSelectedEdge = 2.0; // width of the mark of a selected row
constexpr qreal kMinPartBar = 0.15; // of the width, so that a small cost is visible
constexpr qreal kFramedRun = 5.0; // height from which on a run has a frame
constexpr qreal kSide = 3.0; // beside the bars

} // namespace

Minimap::Minimap(StackSurface& surface, const QAction& shown)
    : QWidget(&surface)
    , m_surface(surface)
    , m_shown(shown)
{
    setObjectName(QStringLiteral("stack.minimap"));
    setAccessibleName(tr("Minimap of the stack"));
    setToolTip(tr("The whole stack; the frame is what is in view (Ctrl+M)"));
    setFocusPolicy(Qt::NoFocus); // keys scroll the stack
    paintOpaque(*this);
    connect(surface.verticalScrollBar(), &QScrollBar::valueChanged, this, &Minimap::follow);
}

int Minimap::widthInMargin() const
{
    const bool isTall = MinimapScale::isWanted(m_surface.geometryOfStack().size.height(),
                                               m_surface.viewport()->height());
    return m_shown.isChecked() && isTall ? kGap + kMinimapWidth : 0;
}

MinimapScale Minimap::scale() const
{
    return {m_surface.geometryOfStack().size.height(),
            static_cast<double>(m_surface.viewport()->height()),
            static_cast<double>(height())};
}

MinimapSpan Minimap::frame() const
{
    return scale().frame(m_surface.verticalScrollBar()->value());
}

void Minimap::setSelected(std::vector<bool> rows)
{
    m_selected = std::move(rows);
    follow();
}

// Which rows are in view is the value of the strip.
void Minimap::follow()
{
    const StackGeometry& geometry = m_surface.geometryOfStack();
    const int top = m_surface.verticalScrollBar()->value();
    const int bottom = top + m_surface.viewport()->height();
    const int last = static_cast<int>(geometry.rows.size());
    const int first = std::min(last, anchorAt(geometry, top).row + 1);
    const int end = std::min(last, anchorAt(geometry, bottom).row + 1);
    setAccessibleDescription(tr("Rows %1 to %2 of %3 in view").arg(first).arg(end).arg(last));
    update();
}

void Minimap::scrollTo(int scroll)
{
    m_surface.verticalScrollBar()->setValue(scroll);
}

void Minimap::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = systemTheme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.panel);
    const std::size_t rows =
        std::min(m_surface.geometryOfStack().rows.size(), m_surface.picture().rows.size());
    for (std::size_t row = 0; row < rows; ++row) {
        paintRowAt(painter, row, theme);
    }
    const MinimapSpan seen = frame();
    painter.setPen(theme.accent);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(0.5, seen.top + 0.5, width() - 1.0, seen.height - 1.0));
}

void Minimap::paintRowAt(QPainter& painter, std::size_t row, const Theme& theme) const
{
    const StackRow& shown = m_surface.picture().rows[row];
    const QRectF& frame = m_surface.geometryOfStack().rows[row].frame;
    const MinimapSpan span = scale().place(frame.top(), frame.height());
    const QRectF place(0.0, span.top, width(), span.height);
    if (shown.kind == StackRow::Kind::run && span.height >= kFramedRun) {
        painter.fillRect(place, theme.fieldBorder);
        painter.fillRect(place.adjusted(1.0, 1.0, -1.0, -1.0), theme.field);
    }
    const auto count = static_cast<qreal>(shown.parts.size());
    qreal top = span.top;
    for (const StackPart& part : shown.parts) {
        const qreal share = std::max(kMinPartBar, part.bar.share);
        painter.fillRect(QRectF(kSide, top, (width() - 2.0 * kSide) * share, span.height / count),
                         colour(*part.component));
        top += span.height / count;
    }
    if (row < m_selected.size() && m_selected[row]) {
        painter.fillRect(QRectF(0.0, span.top, kSelectedEdge, std::max(kSelectedEdge, span.height)),
                         theme.accent);
    }
}

void Minimap::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) {
        scrollTo(scale().scrollTo(event->position().y()));
    }
    event->accept();
}

void Minimap::mouseMoveEvent(QMouseEvent* event)
{
    if ((event->buttons() & Qt::LeftButton) != 0) {
        scrollTo(scale().scrollTo(event->position().y()));
    }
    event->accept();
}

void Minimap::mouseReleaseEvent(QMouseEvent* event)
{
    event->accept();
}

// As over the stack, which would not get the event.
void Minimap::wheelEvent(QWheelEvent* event)
{
    scrollTo(m_surface.verticalScrollBar()->value() - event->angleDelta().y());
    event->accept();
}

} // namespace flopsmith::ui

#include "moc_minimap.cpp"
