// SPDX-License-Identifier: MIT
#pragma once

#include "core/present/stack/stack.h"

#include <span>
#include <string>
#include <vector>

namespace flopsmith {

/// Some neighbouring blocks of a compared design, or one of its parts outside of blocks.
struct ColumnBox
{
    enum class Mark {
        equal, ///< as in the live design
        changed, ///< both have it, with differences
        added, ///< the live design alone has it: the box is an empty place
        removed, ///< the live design does not have it
    };
    Mark mark = Mark::equal;
    std::string title{}; ///< "Blocks 1 – 6", "Embedding"
    std::string parts{}; ///< "Attention, Dense FFN"; empty if the box is empty
    std::string changes{}; ///< "d_ff 3072 → 2048": from this design to the live one
    int row = -1; ///< its counterpart in the live picture; -1: none

    /// "=", "~", "+" or "−": distinguishes the marks without colours.
    std::string_view sign() const;

    /// "~ Blocks 1 – 6, Attention, Dense FFN, d_ff 3072 → 2048"
    std::string text() const;

    bool operator==(const ColumnBox&) const = default;
};

/// Boxes next to some rows of the live picture, or, without rows, between two of them.
struct ColumnGroup
{
    int firstRow = 0; ///< without rows: the row after the group
    int rows = 0;
    std::vector<ColumnBox> boxes{}; ///< at least one

    bool operator==(const ColumnGroup&) const = default;
};

/// A scenario with its picture; neither is owned.
struct ShownStack
{
    const Scenario& scenario;
    const StackPicture& picture;
};

/// The stack of a compared design, aligned as by alignedStacks(). Every row of the live picture is
/// in one group, in order; the rows of a pattern are together. Every block of the other design is
/// in one box.
std::vector<ColumnGroup> columnGroups(const ShownStack& live, const ShownStack& beside);

/// Top and bottom of something on the canvas.
struct ColumnSpan
{
    double top = 0.0;
    double bottom = 0.0;

    double height() const { return bottom - top; }
    bool operator==(const ColumnSpan&) const = default;
};

/// The positions of the boxes, and the space that the live stack makes for them.
struct ColumnLayout
{
    std::vector<double> before{}; ///< further space above each row, and at last below all rows
    std::vector<ColumnSpan> boxes{}; ///< of all groups, in sequence

    bool operator==(const ColumnLayout&) const = default;
};

/// `rows` are the positions of the live rows alone, from top to bottom; the first and the last row
/// of a pattern reach to its frame. Boxes next to rows fill the rows' height, which grows if the
/// boxes need more: each is at least `minHeight` high, and `gap` apart from the next.
ColumnLayout columnLayout(std::span<const ColumnGroup> groups,
                          std::span<const ColumnSpan> rows,
                          double gap,
                          double minHeight);

} // namespace flopsmith
