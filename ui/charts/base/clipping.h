// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QPointF>
#include <QRectF>

#include <vector>

namespace flopsmith::ui {

/// The parts of a polyline inside the range, as separate pieces, with new points at its edge.
std::vector<QList<QPointF>> clipped(const QList<QPointF>& points, const QRectF& range);

} // namespace flopsmith::ui
