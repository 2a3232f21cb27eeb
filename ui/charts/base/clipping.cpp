// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/base/clipping.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace flopsmith::ui {
namespace {

using Segment = std::pair<QPointF, QPointF>;

// Liang and Barsky 1984: the part of a segment inside a rectangle.
std::optional<Segment> partInside(const Segment& segment, const QRectF& range)
{
    const QPointF from = segment.first;
    const QPointF way = segment.second - from;
    double begin = 0.0;
    double end = 1.0;
    const std::array<std::pair<double, double>, 4> edges{{{-way.x(), from.x() - range.left()},
                                                          {way.x(), range.right() - from.x()},
                                                          {-way.y(), from.y() - range.top()},
                                                          {way.y(), range.bottom() - from.y()}}};
    for (const auto& edge : edges) {
        if (edge.first == 0.0 && edge.second < 0.0) {
            return std::nullopt;
        }
        if (edge.first < 0.0) {
            begin = std::max(begin, edge.second / edge.first);
        } else if (edge.first > 0.0) {
            end = std::min(end, edge.second / edge.first);
        }
    }
    if (begin > end) {
        return std::nullopt;
    }
    return Segment{from + begin * way, from + end * way};
}

} // namespace

std::vector<QList<QPointF>> clipped(const QList<QPointF>& points, const QRectF& range)
{
    std::vector<QList<QPointF>> pieces;
    for (qsizetype i = 1; i < points.size(); ++i) {
        const auto inside = partInside(Segment{points[i - 1], points[i]}, range);
        if (!inside) {
            continue;
        }
        const bool continues = !pieces.empty() && pieces.back().back() == inside->first;
        if (!continues) {
            pieces.push_back({inside->first});
        }
        pieces.back().append(inside->second);
    }
    return pieces;
}

} // namespace flopsmith::ui
