// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/base/drawing.h"

#include <QPainterPath>

#include <string>
#include <vector>

namespace flopsmith::ui {

/// The selected operation or part, as charts look for it.
struct ChartMark
{
    std::string path{}; ///< in the cost tree; empty: no selection
    std::vector<const Component*> components{}; ///< of its operations

    bool isEmpty() const { return path.empty(); }
    bool operator==(const ChartMark&) const = default;
};

/// A shape in a chart that represents an operation or a part: a slice, a piece, a bar, a dot.
struct ChartPlace
{
    QPainterPath outline{};
    const Component* component = nullptr; ///< null if it represents several
    std::vector<std::string> paths{}; ///< in the cost tree; empty for a whole component
    int hotspot = -1; ///< the hotspot that it belongs to
    bool becomesPaler = false; ///< while others of the chart are marked
};

/// For a row in a chart: an outline around its line.
QPainterPath rowOutline(const QRectF& line);

/// The place of a measured part's row: all of the line.
ChartPlace rowPlace(const QRectF& line,
                    const Component* component,
                    const std::string& path,
                    const std::vector<std::string>& elsewhere,
                    std::size_t hotspot);

/// The uppermost place at a point, or null.
const ChartPlace* placeAt(QPointF point, const std::vector<ChartPlace>& places);

/// Which places show the selected operation. A place with paths matches if its path contains the
/// selected one or the other way round; a place without paths matches all operations of its
/// component.
std::vector<bool> markedPlaces(const std::vector<ChartPlace>& places, const ChartMark& mark);

/// Outlines around the marked places, the others paler. Only drawn in the window, not in files.
Drawing markDrawing(const std::vector<ChartPlace>& places,
                    const std::vector<bool>& marked,
                    const ChartStyle& style);

} // namespace flopsmith::ui
