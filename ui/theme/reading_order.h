// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>
#include <Qt>

namespace flopsmith::ui {

// A window that is laid out from right to left mirrors places, but not the order inside a text:
// "12 %" and "d_ff = 4" stay as they are.

/// Flags with which QPainter::drawText() draws a text in a widget of this layout direction.
int textFlags(Qt::Alignment alignment, const QString& text, Qt::LayoutDirection layout);

/// The text with marks that keep its order where Qt would draw it from right to left.
QString inOwnOrder(const QString& text);

/// Where a place of a widget that is laid out from left to right is in one of this direction.
QRectF mirroredIn(Qt::LayoutDirection layout, const QRectF& widget, const QRectF& place);

} // namespace flopsmith::ui
