// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <optional>
#include <vector>

namespace flopsmith::ui {

/// Finds free places for texts beside dots in a plot, so that no text lies over another, over a
/// dot or over a line.
class LabelPlaces
{
public:
    struct Place
    {
        QRectF rect{};
        QLineF leader{}; ///< from the dot's edge to the text; null where it is beside the dot
    };

    explicit LabelPlaces(const QRectF& plot)
        : m_plot(plot)
    {}

    void block(const QRectF& rect) { m_rects.push_back(rect); }
    void blockDot(const QRectF& rect) { m_dots.push_back(rect); }
    void block(const QLineF& line) { m_lines.push_back(line); }

    /// Whether a text may stand there: inside the plot, over nothing.
    bool isFree(const QRectF& rect) const;

    /// The first free place beside the dot, then further away below and above it; it is blocked
    /// from then on. Nothing if all are taken.
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
