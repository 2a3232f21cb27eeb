// SPDX-License-Identifier: MIT
#pragma once

#include "core/present/inside/inside.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

struct InsidePoint
{
    double x = 0.0;
    double y = 0.0;

    bool operator==(const InsidePoint&) const = default;
};

struct InsideRect
{
    double x = 0.0;
    double y = 0.0;
    double width = 0.0;
    double height = 0.0;

    double right() const { return x + width; }
    double bottom() const { return y + height; }
    bool contains(const InsidePoint& point) const;
    bool operator==(const InsideRect&) const = default;
};

/// The box of an operation.
struct InsideBox
{
    InsideRect rect{};
    std::string text{}; ///< its name, and its input if that comes from outside this block
    InsideRect title{};
    InsideRect value{}; ///< next to the title, or below it if the box is narrow
    InsideRect bar{};
    double share = 0.0; ///< of the bar that is filled: 1 for the dearest operation of the block

    bool operator==(const InsideBox&) const = default;
};

/// The frame around a mixer, an FFN, a stage or experts.
struct InsideFrame
{
    InsideRect rect{};
    InsideRect title{};
    std::string text{};
    std::string path{}; ///< of the part
    std::string valueText{}; ///< its time if bars show times; otherwise empty
    InsideRect value{}; ///< right of the title
    InsideRect bar{}; ///< below them
    double share = 0.0; ///< of the bar that is filled
    const Component* component = nullptr;

    bool operator==(const InsideFrame&) const = default;
};

/// A wire goes from the lower edge of a box to the upper edge of another. A residual addition leads
/// from its left edge back to the stream.
struct InsideWire
{
    int from = -1; ///< index of a box; −1: the residual stream
    int to = -1;
    std::vector<InsidePoint> points{};

    bool operator==(const InsideWire&) const = default;
};

/// The shape on a wire.
struct InsideLabel
{
    InsideRect rect{};
    std::string text{};

    bool operator==(const InsideLabel&) const = default;
};

/// A block laid out for a width: the residual stream on the left, branches to its right.
struct InsideGeometry
{
    double width = 0.0;
    double height = 0.0;
    double streamX = 0.0;
    double streamTop = 0.0;
    double streamBottom = 0.0;
    std::vector<InsideBox> boxes{}; ///< in the order of operationsOf()
    std::vector<InsideFrame> frames{}; ///< outer frames before inner ones
    std::vector<InsideWire> wires{};
    std::vector<InsideLabel> labels{};
    std::vector<InsidePoint> joins{}; ///< where branches return: ⊕

    bool operator==(const InsideGeometry&) const = default;
};

/// The font as the layout needs it.
struct InsideFont
{
    double line = 16.0; ///< height
    std::function<double(std::string_view)> width;
};

inline constexpr double kInsideJoinRadius = 7.0;

InsideGeometry insideGeometry(const InsidePicture& picture,
                              InsideMeasure measure,
                              double width,
                              const InsideFont& font);

} // namespace flopsmith
