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
    std::string path{}; ///< in the cost tree; empty: nothing is selected
    std::vector<const Component*> components{}; ///< of its operations

    bool isEmpty() const { return path.empty(); }
    bool operator==(const ChartMark&) const = default;
};

/// Something in a chart that stands for an operation or a part: a slice, a piece, a bar, a dot.
struct ChartPlace
{
    QPainterPath outline{};
    const Component* component = nullptr; ///< null where it is of several
    std::vector<std::string> paths{}; ///< in the cost tree; none where it is all of the component
    int hotspot = -1; ///< the hotspot that it belongs to
    bool becomesPaler = false; ///< while others of the chart are marked
};

/// Around a line of a chart that has rows.
QPainterPath rowOutline(const QRectF& line);

/// The place of a measured part's row: all of the line.
ChartPlace rowPlace(const QRectF& line,
                    const Component* component,
                    const std::string& path,
                    const std::vector<std::string>& elsewhere,
                    std::size_t hotspot);

/// Which places show the selected operation: by a path of a place one is a part of the other. A place
/// of a component shows all of its operations.
std::vector<bool> markedPlaces(const std::vector<ChartPlace>& places, const ChartMark& mark);

/// Outlines around the marked places, the others paler. Only the window draws it: files have none.
Drawing markDrawing(const std::vector<ChartPlace>& places,
                    const std::vector<bool>& marked,
                    const ChartStyle& style);

} // namespace flopsmith::ui
