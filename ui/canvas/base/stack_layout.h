// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/base/stack_geometry.h"
#include "ui/document/selection.h"

#include <vector>

namespace flopsmith::ui {

/// The picture of the stack and where it is drawn, with what follows from both: which row stands at
/// a point of the scene, and which rows a selection covers. A row is an index into the picture's
/// rows; their number stands for the drop zone at the end.
struct StackLayout
{
    StackPicture picture;
    StackGeometry geometry;

    int rowCount() const { return static_cast<int>(picture.rows.size()); }
    bool isRow(int row) const { return row >= 0 && row < rowCount(); }

    /// The run of a row, or -1.
    int runOf(int row) const;

    /// The row of a run, or -1.
    int rowOf(int run) const;

    /// The part of a row with this role, or -1.
    int partOf(int row, PartRole role) const;

    /// What is selected when a row is chosen.
    Selection selectionOf(int row) const;

    /// The row of the current run or part, or -1.
    int currentRow(const Selection& selection) const;

    /// By row.
    std::vector<bool> selectedRows(const Selection& selection) const;

    /// From the first to the last selected row; the first one of all if none is.
    RowRange selectedRange(const Selection& selection) const;

    /// The row at a point, the number of rows for the drop zone, or -1.
    int rowAt(const QPointF& point) const;

    /// The pattern whose head, above its rows, is at a point; an index into the picture's, or -1.
    int patternAt(const QPointF& point) const;

    /// The runs of a pattern's period.
    std::vector<int> runsOfPattern(int pattern) const;

    /// The runs whose frames meet an area.
    std::vector<int> runsIn(const QRectF& area) const;

    /// The area that a row is painted in, including the line from the row above.
    QRectF placeOf(int row) const;

    /// The top of a row's frame, or of the pattern that it begins.
    qreal topOf(int row) const;

    /// The bottom of a row's frame, or of the pattern that it closes.
    qreal bottomOf(int row) const;
};

} // namespace flopsmith::ui
