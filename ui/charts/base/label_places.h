// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <optional>
#include <vector>

namespace flopsmith::ui {

/// Finds free places for texts near dots in a plot, so that no text overlaps another, a dot or a
/// line.
class LabelPlaces
{
public:
    struct Place
    {
        QRectF rect{};
        QLineF leader{}; ///< from the dot's edge to the text; null if it is next to the dot
    };

    explicit LabelPlaces(const QRectF& plot)
        : m_plot(plot)
    {}

    void block(const QRectF& rect) { m_rects.push_back(rect); }
    void blockDot(const QRectF& rect) { m_dots.push_back(rect); }
    void block(const QLineF& line) { m_lines.push_back(line); }

    /// Whether a text fits there: inside the plot, overlapping nothing.
    bool isFree(const QRectF& rect) const;

    /// The first free place next to the dot, then further below and above it; the place is then
    /// taken. Nothing if there is none.
    std::optional<Place> beside(QPointF dot, double radius, const QSizeF& size);

private:
    std::optional<Place> tryPlace(const QRectF& rect, const QLineF& leader);

    QRectF m_plot;
    std::vector<QRectF> m_rects; ///< nothing may cross them
    std::vector<QRectF> m_dots; ///< leaders may
    std::vector<QLineF> m_lines;
    std::vector<QLineF> m_leaders; ///< among the lines
};

} // namespace flopsmith::ui
