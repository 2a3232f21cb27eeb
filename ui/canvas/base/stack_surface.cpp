// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/base/stack_surface.h"

#include "ui/theme/opaque.h"

#include <QPainter>

namespace flopsmith::ui {

StackSurface::StackSurface(QWidget* parent)
    : QGraphicsView(parent)
{
    setFrameShape(QFrame::NoFrame);
    setLayoutDirection(Qt::LeftToRight); // a diagram of figures and bars, as the charts
    setAlignment(Qt::AlignLeft | Qt::AlignTop);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    viewport()->setAutoFillBackground(false);
    paintOpaque(*viewport());
    setAcceptDrops(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(300, 120);
}

void StackSurface::setRightMargin(int width)
{
    if (viewportMargins().right() != width) {
        setViewportMargins(0, 0, width, 0); // which lays out again
    }
}

} // namespace flopsmith::ui
