// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/stack_geometry.h"

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr qreal kMargin = 2.0;
constexpr qreal kGap = 10.0; // between frames, bridged by the residual stream
constexpr qreal kInset = 12.0; // from a frame's edge to its parts
constexpr qreal kPartHeight = 28.0;
constexpr qreal kPartGap = 5.0;
constexpr qreal kTitleHeight = 28.0;
constexpr qreal kSingleHeight = 30.0;
constexpr qreal kDropHeight = 34.0;
constexpr qreal kChipHeight = 19.0;
constexpr qreal kChipPadding = 7.0;
constexpr qreal kBarHeight = 6.0;
constexpr qreal kTextInset = 12.0;
constexpr qreal kLeastDetail = 48.0;

// The columns that all rows share.
struct Columns
{
    qreal partRight;
    qreal barLeft;
    qreal barRight;
    qreal valueLeft;
    qreal valueRight;
};

qreal widestValue(const StackPicture& picture, const QFontMetricsF& metrics)
{
    qreal widest = metrics.horizontalAdvance(QStringLiteral("000.0 G"));
    for (const StackRow& row : picture.rows) {
        for (const StackPart& part : row.parts) {
            widest =
                std::max(widest, metrics.horizontalAdvance(QString::fromStdString(part.bar.text)));
        }
    }
    return widest;
}

Columns columns(const StackPicture& picture, qreal width, const QFontMetricsF& metrics)
{
    const qreal valueRight = width - kMargin - kInset - 2.0;
    const qreal valueLeft = valueRight - widestValue(picture, metrics);
    const qreal free = valueLeft - 10.0 - (kMargin + kInset);
    const qreal barWidth = std::clamp(free * 0.27, 40.0, 220.0);
    const qreal barRight = valueLeft - 10.0;
    const qreal barLeft = barRight - barWidth;
    return {barLeft - 16.0, barLeft, barRight, valueLeft, valueRight};
}

QString text(const std::string& utf8)
{
    return QString::fromStdString(utf8);
}

// Chips from left to right; those without room are left out.
std::vector<QRectF> chipRects(const StackPart& part,
                              qreal left,
                              qreal right,
                              qreal middle,
                              const QFontMetricsF& metrics)
{
    std::vector<QRectF> rects;
    for (const StageChip& chip : part.chips) {
        const qreal width = metrics.horizontalAdvance(text(chip.shortTitle)) + 2.0 * kChipPadding;
        if (left + width > right) {
            break;
        }
        rects.emplace_back(left, middle - kChipHeight / 2.0, width, kChipHeight);
        left += width + 5.0;
    }
    return rects;
}

PartGeometry partGeometry(const StackPart& part,
                          const QRectF& box,
                          qreal titleWidth,
                          const Columns& column,
                          const QFontMetricsF& chipMetrics)
{
    PartGeometry geometry;
    geometry.box = box;
    const qreal left = box.left() + kTextInset;
    const qreal right = std::min(box.right(), column.partRight) - 8.0;
    const qreal ends = std::min(left + titleWidth, right);
    geometry.title = QRectF(left, box.top(), ends - left, box.height());
    const qreal detailLeft = ends + 14.0;
    if (!part.chips.empty()) {
        geometry.chips = chipRects(part, detailLeft - 2.0, right, box.center().y(), chipMetrics);
    } else if (right - detailLeft >= kLeastDetail) {
        geometry.detail = QRectF(detailLeft, box.top(), right - detailLeft, box.height());
    }
    geometry.bar = QRectF(column.barLeft,
                          box.center().y() - kBarHeight / 2.0,
                          column.barRight - column.barLeft,
                          kBarHeight);
    geometry.value =
        QRectF(column.valueLeft, box.top(), column.valueRight - column.valueLeft, box.height());
    return geometry;
}

qreal titleColumn(const StackPicture& picture, const QFontMetricsF& metrics)
{
    qreal widest = 0.0;
    for (const StackRow& row : picture.rows) {
        for (const StackPart& part : row.parts) {
            widest = std::max(widest, metrics.horizontalAdvance(text(part.title)));
        }
    }
    return widest + 2.0;
}

RowGeometry runGeometry(const StackRow& row,
                        qreal top,
                        qreal width,
                        qreal titleWidth,
                        const Columns& column,
                        const QFontMetricsF& chipMetrics)
{
    RowGeometry geometry;
    const qreal left = kMargin + kInset;
    qreal y = top + kTitleHeight;
    for (const StackPart& part : row.parts) {
        const QRectF box(left, y, column.partRight - left, kPartHeight);
        geometry.parts.push_back(partGeometry(part, box, titleWidth, column, chipMetrics));
        y += kPartHeight + kPartGap;
    }
    const qreal bottom = y - (row.parts.empty() ? 0.0 : kPartGap) + kInset - 2.0;
    geometry.frame = QRectF(kMargin, top, width - 2.0 * kMargin, bottom - top);
    geometry.title = QRectF(left, top + 2.0, (width - 2.0 * left) * 0.7, kTitleHeight - 4.0);
    geometry.repeat = QRectF(geometry.title.right(),
                             top + 2.0,
                             column.valueRight - geometry.title.right(),
                             kTitleHeight - 4.0);
    return geometry;
}

RowGeometry singleGeometry(const StackRow& row,
                           qreal top,
                           qreal width,
                           qreal titleWidth,
                           const Columns& column,
                           const QFontMetricsF& chipMetrics)
{
    RowGeometry geometry;
    geometry.frame = QRectF(kMargin, top, width - 2.0 * kMargin, kSingleHeight);
    const qreal left = kMargin + kInset;
    const QRectF box(left, top, column.partRight - left, kSingleHeight);
    for (const StackPart& part : row.parts) {
        geometry.parts.push_back(partGeometry(part, box, titleWidth, column, chipMetrics));
    }
    return geometry;
}

} // namespace

StackGeometry stackGeometry(const StackPicture& picture,
                            qreal width,
                            const QFontMetricsF& metrics,
                            const QFontMetricsF& chipMetrics)
{
    StackGeometry geometry;
    const Columns column = columns(picture, width, metrics);
    const qreal titleWidth = titleColumn(picture, metrics);
    qreal y = kMargin;
    for (const StackRow& row : picture.rows) {
        const auto layOut = row.kind == StackRow::Kind::run ? runGeometry : singleGeometry;
        geometry.rows.push_back(layOut(row, y, width, titleWidth, column, chipMetrics));
        y = geometry.rows.back().frame.bottom() + kGap;
    }
    geometry.dropZone = QRectF(kMargin, y, width - 2.0 * kMargin, kDropHeight);
    geometry.size = QSizeF(width, geometry.dropZone.bottom() + kMargin);
    return geometry;
}

} // namespace flopsmith::ui
