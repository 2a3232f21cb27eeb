// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QRectF>
#include <QString>

#include <vector>

QT_BEGIN_NAMESPACE
class QPainter;
QT_END_NAMESPACE

namespace flopsmith::ui {

struct Theme;

/// The sign beside the pointer: what a drop does.
enum class DragBadge { none, plus, noEntry };

/// What is dragged as a translucent picture that keeps its device pixel ratio.
QPixmap translucent(const QPixmap& picture);

/// The open gap with what lands in it.
void paintGap(QPainter& painter, const QRectF& gap, const QString& caption, const Theme& theme);

/// A closed place at which nothing lands: a grey dashed line.
void paintClosedPlace(QPainter& painter, const QRectF& line, const Theme& theme);

/// The places between the blocks of a run along its right edge, and a marker at the current one.
void paintScale(QPainter& painter,
                qreal right,
                const std::vector<qreal>& places,
                qreal current,
                const Theme& theme);

/// The sign at the lower right of the pointer.
void paintBadge(QPainter& painter, const QPointF& pointer, DragBadge badge, const Theme& theme);

} // namespace flopsmith::ui
