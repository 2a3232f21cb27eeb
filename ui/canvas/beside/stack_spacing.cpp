// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/beside/stack_spacing.h"

#include <algorithm>
#include <cstddef>

namespace flopsmith::ui {
namespace {

void moveDown(PartGeometry& part, qreal by)
{
    for (QRectF* rect :
         {&part.box, &part.title, &part.detail, &part.bar, &part.value, &part.operations}) {
        rect->translate(0.0, by);
    }
    for (QRectF& chip : part.chips) {
        chip.translate(0.0, by);
    }
}

void moveDown(RowGeometry& row, qreal by)
{
    for (QRectF* rect : {&row.frame, &row.title, &row.repeat}) {
        rect->translate(0.0, by);
    }
    for (QRectF& bar : row.bars) {
        bar.translate(0.0, by);
    }
    for (PartGeometry& part : row.parts) {
        moveDown(part, by);
    }
}

void moveDown(PatternGeometry& pattern, qreal by)
{
    for (QRectF* rect : {&pattern.frame, &pattern.head, &pattern.title, &pattern.badge}) {
        rect->translate(0.0, by);
    }
}

} // namespace

std::vector<ColumnSpan> rowSpans(const StackGeometry& geometry, const StackPicture& picture)
{
    std::vector<ColumnSpan> spans;
    for (const RowGeometry& row : geometry.rows) {
        spans.push_back({row.frame.top(), row.frame.bottom()});
    }
    for (std::size_t i = 0; i < geometry.patterns.size(); ++i) {
        const StackPattern& pattern = picture.patterns[i];
        spans[static_cast<std::size_t>(pattern.firstRow)].top = geometry.patterns[i].frame.top();
        spans[static_cast<std::size_t>(pattern.lastRow)].bottom =
            geometry.patterns[i].frame.bottom();
    }
    return spans;
}

double leastBox(const StackGeometry& geometry, const StackPicture& picture)
{
    double least = 0.0;
    for (std::size_t i = 0; i < geometry.rows.size(); ++i) {
        const double height = geometry.rows[i].frame.height();
        if (picture.rows[i].run >= 0) {
            least = least > 0.0 ? std::min(least, height) : height;
        }
    }
    return least > 0.0 || geometry.rows.empty() ? least : geometry.rows.front().frame.height();
}

void giveWay(StackGeometry& geometry,
             const StackPicture& picture,
             const std::vector<double>& before)
{
    std::vector<qreal> moved;
    qreal by = 0.0;
    for (std::size_t i = 0; i < geometry.rows.size(); ++i) {
        by += before[i];
        moved.push_back(by);
        moveDown(geometry.rows[i], by);
    }
    for (std::size_t i = 0; i < geometry.patterns.size(); ++i) {
        moveDown(geometry.patterns[i],
                 moved[static_cast<std::size_t>(picture.patterns[i].firstRow)]);
    }
    by += before.back();
    geometry.dropZone.translate(0.0, by);
    geometry.size.rheight() += by;
}

} // namespace flopsmith::ui
