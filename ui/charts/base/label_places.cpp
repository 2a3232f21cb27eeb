// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/base/label_places.h"

#include "ui/charts/base/clipping.h"

#include <algorithm>
#include <array>

namespace flopsmith::ui {
namespace {

constexpr double kDotGap = 4.0; ///< between a dot and its text
constexpr double kAround = 2.0; ///< that a text keeps free around itself
constexpr int kFarthest = 18; ///< half lines of text
constexpr double kMinShift = 24.0; ///< of a narrow text to the side

bool crosses(const QLineF& line, const QRectF& rect)
{
    return !clipped({line.p1(), line.p2()}, rect).empty();
}

} // namespace

bool LabelPlaces::isFree(const QRectF& rect) const
{
    const QRectF around = rect.adjusted(-kAround, -kAround, kAround, kAround);
    const auto isOver = [&around](const QRectF& other) { return other.intersects(around); };
    return m_plot.contains(rect) && std::none_of(m_rects.begin(), m_rects.end(), isOver)
        && std::none_of(m_dots.begin(), m_dots.end(), isOver)
        && std::none_of(m_lines.begin(), m_lines.end(), [&](const QLineF& line) {
               return crosses(line, around);
           });
}

std::optional<LabelPlaces::Place> LabelPlaces::tryPlace(const QRectF& rect, const QLineF& leader)
{
    const bool cut =
        !leader.isNull() && std::any_of(m_rects.begin(), m_rects.end(), [&](const QRectF& other) {
            return crosses(leader, other);
        });
    const bool tangled = !leader.isNull()
        && std::any_of(m_leaders.begin(), m_leaders.end(), [&leader](const QLineF& other) {
               return leader.intersects(other, nullptr) == QLineF::BoundedIntersection;
           });
    if (cut || tangled || !isFree(rect)) {
        return std::nullopt;
    }
    block(rect);
    if (!leader.isNull()) {
        block(leader);
        m_leaders.push_back(leader);
    }
    return Place{rect, leader};
}

std::optional<LabelPlaces::Place> LabelPlaces::beside(QPointF dot,
                                                      double radius,
                                                      const QSizeF& size)
{
    const double right = dot.x() + radius + kDotGap;
    const double left = dot.x() - radius - kDotGap - size.width();
    const double level = dot.y() - size.height() / 2;
    const double centred = dot.x() - size.width() / 2;
    const double below = dot.y() + radius + kDotGap / 2;
    const double above = dot.y() - radius - kDotGap / 2 - size.height();
    const std::array<QPointF, 8> near{{{right, level},
                                       {right - 2.0, dot.y() + 1.0},
                                       {left, level},
                                       {left + 2.0, dot.y() - 1.0 - size.height()},
                                       {centred, below},
                                       {centred, above},
                                       {right - 2.0, dot.y() - 1.0 - size.height()},
                                       {left + 2.0, dot.y() + 1.0}}};
    for (const QPointF& corner : near) {
        if (const auto place = tryPlace(QRectF(corner, size), {})) {
            return place;
        }
    }
    const double sideways = std::max(size.width(), kMinShift);
    for (int halfLines = 1; halfLines <= kFarthest; ++halfLines) {
        const double away = halfLines * (size.height() + kAround) / 2 + 2.0;
        for (const double shift : {0.0, -0.5, 0.5, -1.0, 1.0}) {
            for (const bool down : {true, false}) {
                const double x = centred + shift * sideways;
                const QRectF rect({x, down ? below + away : above - away}, size);
                const double end = std::clamp(
                    dot.x(), rect.left() + 6.0, std::max(rect.left() + 6.0, rect.right() - 6.0));
                const QPointF from(dot.x(), down ? dot.y() + radius + 1.0 : dot.y() - radius - 1.0);
                const QPointF to(end, down ? rect.top() : rect.bottom());
                if (const auto place = tryPlace(rect, {from, to})) {
                    return place;
                }
            }
        }
    }
    return std::nullopt;
}

} // namespace flopsmith::ui
