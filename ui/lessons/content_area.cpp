// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/content_area.h"

#include <QResizeEvent>

namespace flopsmith::ui {

ContentArea::ContentArea(QWidget* parent)
    : QScrollArea(parent)
{
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

QSize ContentArea::sizeHint() const
{
    const QSize usual = QScrollArea::sizeHint();
    if (widget() == nullptr) {
        return usual;
    }
    return {usual.width(),
            widget()->hasHeightForWidth() ? widget()->heightForWidth(viewport()->width())
                                          : widget()->sizeHint().height()};
}

void ContentArea::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) {
        updateGeometry();
    }
}

bool ContentArea::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == widget() && event->type() == QEvent::LayoutRequest) {
        updateGeometry();
    }
    return QScrollArea::eventFilter(watched, event);
}

} // namespace flopsmith::ui

#include "moc_content_area.cpp"
