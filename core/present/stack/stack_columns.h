// SPDX-License-Identifier: MIT
#pragma once

#include "core/present/stack/stack.h"

#include <span>
#include <string>
#include <vector>

namespace flopsmith {

/// Some neighbouring blocks of a design beside the live one, or one of its parts outside of blocks.
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
    std::string parts{}; ///< "Attention, Dense FFN"; empty where there is nothing
    std::string changes{}; ///< "d_ff 3072 → 2048": from this design to the live one
    int row = -1; ///< of the live picture: what it is the counterpart of; -1: none

    /// "=", "~", "+" or "−": what tells the marks apart without colours.
    std::string_view sign() const;

    /// "~ Blocks 1 – 6, Attention, Dense FFN, d_ff 3072 → 2048"
    std::string text() const;

    bool operator==(const ColumnBox&) const = default;
};

/// Boxes that stand beside some rows of the live picture, or, without rows, between two of them.
struct ColumnGroup
{
    int firstRow = 0; ///< the row that follows, where there are none
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

/// The stack of a design beside the live one, aligned as alignedStacks() does it. Every row of the
/// live picture is in one group, in order; the rows of a pattern are together. Every block of the
/// other design is in one box.
std::vector<ColumnGroup> columnGroups(const ShownStack& live, const ShownStack& beside);

/// Top and bottom of something on the canvas.
struct ColumnSpan
{
    double top = 0.0;
    double bottom = 0.0;

    double height() const { return bottom - top; }
    bool operator==(const ColumnSpan&) const = default;
};

/// Where the boxes stand, and what the live stack gives way for them.
struct ColumnLayout
{
    std::vector<double> before{}; ///< further space above each row, and at last below all rows
    std::vector<ColumnSpan> boxes{}; ///< of all groups, one after the other

    bool operator==(const ColumnLayout&) const = default;
};

/// `rows` is where the live rows stand alone, one below the other; the first and the last row of a
/// pattern reach to its frame. Boxes beside rows fill the height of these, which give way where the
/// boxes need more: each is at least `minHeight` high, and `gap` apart from the next.
ColumnLayout columnLayout(std::span<const ColumnGroup> groups,
                          std::span<const ColumnSpan> rows,
                          double gap,
                          double minHeight);

} // namespace flopsmith
