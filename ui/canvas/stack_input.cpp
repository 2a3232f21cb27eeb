// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/stack_view.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QToolTip>

// Mouse and keyboard input of the stack, and its tool tips.

namespace flopsmith::ui {

void StackView::mousePressEvent(QMouseEvent* event)
{
    refresh();
    const int row = rowAt(event->pos());
    selectRow(row);
    m_pressed = event->button() == Qt::LeftButton ? std::optional(event->pos()) : std::nullopt;
    event->accept();
}

void StackView::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_pressed || (event->buttons() & Qt::LeftButton) == 0) {
        return;
    }
    if ((event->pos() - *m_pressed).manhattanLength() >= QApplication::startDragDistance()) {
        const int row = rowAt(*m_pressed);
        m_pressed.reset();
        startRunDrag(row);
    }
}

void StackView::mouseReleaseEvent(QMouseEvent* event)
{
    m_pressed.reset();
    event->accept();
}

void StackView::mouseDoubleClickEvent(QMouseEvent* event)
{
    mousePressEvent(event);
    const int row = rowAt(event->pos());
    const bool onRun = row >= 0 && row < static_cast<int>(m_picture.rows.size())
        && m_picture.rows[static_cast<std::size_t>(row)].kind == StackRow::Kind::run;
    if (event->button() == Qt::LeftButton && onRun) {
        m_pressed.reset(); // the button comes up over the inside of the block
        m_actions.inside().trigger();
    }
}

void StackView::keyPressEvent(QKeyEvent* event)
{
    refresh();
    switch (event->key()) {
    case Qt::Key_Up: moveSelection(-1); return;
    case Qt::Key_Down: moveSelection(1); return;
    case Qt::Key_Home: moveSelection(-static_cast<int>(m_picture.rows.size())); return;
    case Qt::Key_End: moveSelection(static_cast<int>(m_picture.rows.size())); return;
    case Qt::Key_Space: m_actions.inside().trigger(); return;
    default: QGraphicsView::keyPressEvent(event);
    }
}

void StackView::contextMenuEvent(QContextMenuEvent* event)
{
    if (event->reason() == QContextMenuEvent::Mouse) {
        selectRow(rowAt(event->pos()));
    }
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("stack.menu"));
    menu->setAccessibleName(tr("What to do with the selected blocks"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    m_actions.fill(*menu);
    menu->popup(event->globalPos());
}

QString StackView::toolTipAt(const QPoint& place) const
{
    const int row = rowAt(place);
    if (row < 0 || row >= static_cast<int>(m_picture.rows.size())) {
        return {};
    }
    const QPointF at = mapToScene(place);
    const StackRow& shown = m_picture.rows[static_cast<std::size_t>(row)];
    const RowGeometry& geometry = m_geometry.rows[static_cast<std::size_t>(row)];
    for (std::size_t i = 0; i < geometry.parts.size(); ++i) {
        const StackPart& part = shown.parts[i];
        for (std::size_t c = 0; c < geometry.parts[i].chips.size(); ++c) {
            if (geometry.parts[i].chips[c].contains(at)) {
                return QStringLiteral("%1: %2").arg(
                    QString::fromStdString(part.chips[c].title),
                    QString::fromStdString(part.chips[c].bar.exactText));
            }
        }
        const QRectF line(geometry.frame.left(),
                          geometry.parts[i].box.top(),
                          geometry.frame.width(),
                          geometry.parts[i].box.height());
        if (line.contains(at)) {
            return QStringLiteral("%1: %2").arg(QString::fromStdString(part.title),
                                                QString::fromStdString(part.bar.exactText));
        }
    }
    QStringList lines{QString::fromStdString(shown.title)};
    for (const StackPart& part : shown.parts) {
        lines << QStringLiteral("%1: %2").arg(QString::fromStdString(part.title),
                                              QString::fromStdString(part.bar.exactText));
    }
    return lines.join(QLatin1Char('\n'));
}

bool StackView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), viewport());
        return true;
    }
    return QGraphicsView::viewportEvent(event);
}

} // namespace flopsmith::ui
