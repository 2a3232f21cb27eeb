// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QRectF>
#include <QString>

QT_BEGIN_NAMESPACE
class QPainter;
QT_END_NAMESPACE

namespace flopsmith::ui {

// Caches the widths and glyphs of texts: shaping takes two thirds of the time to paint a chart, and
// nearly all texts are the same in the next frame. GUI thread only.

/// Width of one line, rounded up to whole pixels.
double textWidth(const QFont& font, const QString& text);

/// Width of one line as the sum of its characters' widths, without shaping: for numbers that change
/// with every step of a slider. With kerning the drawn text may be slightly narrower.
double unkernedWidth(const QFont& font, const QString& text);

/// The text, elided at its end if it is wider.
QString elided(const QFont& font, const QString& text, double width);

/// Draws one line with the painter's pen, aligned in the box. Exported files contain it as text.
void drawText(QPainter& painter,
              const QRectF& rect,
              Qt::Alignment alignment,
              const QFont& font,
              const QString& text);

} // namespace flopsmith::ui
