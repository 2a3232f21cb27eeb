// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/base/stack_layout.h"

#include <algorithm>
#include <cstddef>

namespace flopsmith::ui {

int StackLayout::runOf(int row) const
{
    if (!isRow(row)) {
        return -1;
    }
    const StackRow& shown = picture.rows[static_cast<std::size_t>(row)];
    return shown.kind == StackRow::Kind::run ? shown.run : -1;
}

int StackLayout::rowOf(int run) const
{
    for (int row = 0; row < rowCount(); ++row) {
        if (run >= 0 && runOf(row) == run) {
            return row;
        }
    }
    return -1;
}

int StackLayout::partOf(int row, PartRole role) const
{
    const std::vector<StackPart>& parts = picture.rows[static_cast<std::size_t>(row)].parts;
    const auto found = std::find_if(
        parts.begin(), parts.end(), [role](const StackPart& part) { return part.role == role; });
    return found == parts.end() ? -1 : static_cast<int>(found - parts.begin());
}

Selection StackLayout::selectionOf(int row) const
{
    const StackRow& shown = picture.rows[static_cast<std::size_t>(row)];
    switch (shown.kind) {
    case StackRow::Kind::embedding: return Selection::of(Selection::Part::embedding);
    case StackRow::Kind::run: return Selection::ofRun(shown.run);
    case StackRow::Kind::encoderNorm: return Selection::of(Selection::Part::encoderNorm);
    case StackRow::Kind::finalNorm: return Selection::of(Selection::Part::finalNorm);
    case StackRow::Kind::head: return Selection::of(Selection::Part::head);
    }
    return {};
}

int StackLayout::currentRow(const Selection& selection) const
{
    for (int row = 0; row < rowCount(); ++row) {
        if (selectionOf(row) == selection.current()) {
            return row;
        }
    }
    return -1;
}

std::vector<bool> StackLayout::selectedRows(const Selection& selection) const
{
    const int current = currentRow(selection);
    std::vector<bool> selected;
    for (int row = 0; row < rowCount(); ++row) {
        selected.push_back(row == current || selection.contains(runOf(row)));
    }
    return selected;
}

RowRange StackLayout::selectedRange(const Selection& selection) const
{
    const int current = std::max(0, currentRow(selection));
    RowRange range{current, current};
    for (int row = 0; row < rowCount(); ++row) {
        if (selection.contains(runOf(row))) {
            range = {std::min(range.first, row), std::max(range.last, row)};
        }
    }
    return range;
}

int StackLayout::rowAt(const QPointF& point) const
{
    const qreal slop = geometry.gap / 2.0;
    for (std::size_t i = 0; i < geometry.rows.size(); ++i) {
        if (geometry.rows[i].frame.adjusted(0, -slop, 0, slop).contains(point)) {
            return static_cast<int>(i);
        }
    }
    return geometry.dropZone.contains(point) ? static_cast<int>(geometry.rows.size()) : -1;
}

int StackLayout::patternAt(const QPointF& point) const
{
    for (std::size_t i = 0; i < geometry.patterns.size(); ++i) {
        if (geometry.patterns[i].head.contains(point)) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

std::vector<int> StackLayout::runsOfPattern(int pattern) const
{
    const StackPattern& shown = picture.patterns[static_cast<std::size_t>(pattern)];
    std::vector<int> runs;
    for (int row = shown.firstRow; row <= shown.lastRow; ++row) {
        runs.push_back(runOf(row));
    }
    return runs;
}

std::vector<int> StackLayout::runsIn(const QRectF& area) const
{
    std::vector<int> runs;
    for (std::size_t row = 0; row < geometry.rows.size(); ++row) {
        const int run = runOf(static_cast<int>(row));
        if (run >= 0 && geometry.rows[row].frame.intersects(area)) {
            runs.push_back(run);
        }
    }
    return runs;
}

QRectF StackLayout::placeOf(int row) const
{
    QRectF frame = geometry.dropZone;
    qreal above = geometry.gap;
    if (row < static_cast<int>(geometry.rows.size())) {
        frame = geometry.rows[static_cast<std::size_t>(row)].frame;
        frame.setTop(topOf(row));
        above = row > 0 ? std::max(above, topOf(row) - bottomOf(row - 1)) : above;
    }
    return frame.adjusted(-2, -above - 2, 2, 2);
}

qreal StackLayout::topOf(int row) const
{
    const auto index = static_cast<std::size_t>(row);
    const auto pattern = static_cast<std::size_t>(picture.rows[index].pattern);
    const bool begins =
        picture.rows[index].pattern >= 0 && picture.patterns[pattern].firstRow == row;
    return begins ? geometry.patterns[pattern].frame.top() : geometry.rows[index].frame.top();
}

qreal StackLayout::bottomOf(int row) const
{
    const auto index = static_cast<std::size_t>(row);
    const auto pattern = static_cast<std::size_t>(picture.rows[index].pattern);
    const bool closes =
        picture.rows[index].pattern >= 0 && picture.patterns[pattern].lastRow == row;
    return closes ? geometry.patterns[pattern].frame.bottom() : geometry.rows[index].frame.bottom();
}

} // namespace flopsmith::ui
