// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QRectF>
#include <QString>

QT_BEGIN_NAMESPACE
class QPainter;
QT_END_NAMESPACE

namespace flopsmith::ui {

// Shaping text is two thirds of the time that a chart takes to paint, and from one frame to the
// next nearly all texts stay the same: their widths and glyphs are kept. GUI thread only.

/// Width of one line, rounded up to whole pixels.
double textWidth(const QFont& font, const QString& text);

/// Width of one line as the sum of its characters' widths, which needs no shaping: of numbers that
/// change with every step of a slider. Kerning can make what is drawn a little narrower.
double unkernedWidth(const QFont& font, const QString& text);

/// The text, cut with an ellipsis at its end if it is wider.
QString elided(const QFont& font, const QString& text, double width);

/// Draws one line with the painter's pen, aligned in the box. Files get their text as text.
void drawText(QPainter& painter,
              const QRectF& rect,
              Qt::Alignment alignment,
              const QFont& font,
              const QString& text);

} // namespace flopsmith::ui
