// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/drag/drag_overlay.h"

#include <QAccessible>
#include <QPainter>

#include <utility>

namespace flopsmith::ui {

DragOverlay::DragOverlay(QWidget& viewport, Paint paint)
    : QWidget(&viewport)
    , m_viewport(viewport)
    , m_paint(std::move(paint))
{
    setObjectName(QStringLiteral("stack.drag"));
    setAccessibleName(tr("What is dragged"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

void DragOverlay::cover()
{
    setGeometry(m_viewport.rect());
    show();
    raise();
}

void DragOverlay::announce(const QString& sentence)
{
    setAccessibleName(sentence); // which tells that the name has changed
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void DragOverlay::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    m_paint(painter);
}

} // namespace flopsmith::ui

#include "moc_drag_overlay.cpp"
