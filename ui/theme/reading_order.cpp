// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/reading_order.h"

#include <QStyle>

namespace flopsmith::ui {

int textFlags(Qt::Alignment alignment, const QString& text, Qt::LayoutDirection layout)
{
    const Qt::Alignment placed = QStyle::visualAlignment(layout, alignment) | Qt::AlignAbsolute;
    const Qt::TextFlag order =
        text.isRightToLeft() ? Qt::TextForceRightToLeft : Qt::TextForceLeftToRight;
    return static_cast<int>(placed) | static_cast<int>(order);
}

QString inOwnOrder(const QString& text)
{
    const QChar leftToRightMark(0x200E);
    return text.isEmpty() || text.isRightToLeft() ? text : leftToRightMark + text + leftToRightMark;
}

QRectF mirroredIn(Qt::LayoutDirection layout, const QRectF& widget, const QRectF& place)
{
    const double shift = widget.left() + widget.right() - place.left() - place.right();
    return layout == Qt::RightToLeft ? place.translated(shift, 0.0) : place;
}

} // namespace flopsmith::ui
