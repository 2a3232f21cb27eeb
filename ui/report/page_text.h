// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QPointF>
#include <QString>
#include <QTextDocument>

#include <memory>

QT_BEGIN_NAMESPACE
class QPainter;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Rich text wrapped at that width. Letters keep their positions at any resolution, and a word that
/// is too long is broken.
std::shared_ptr<QTextDocument> laidOut(const QString& html, const QFont& font, double width);

/// Paints all of it, its upper left corner at the place.
void paintText(QPainter& painter,
               const QPointF& place,
               const QTextDocument& text,
               const QColor& colour);

} // namespace flopsmith::ui
