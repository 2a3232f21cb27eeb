// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/base/stack_heights.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace flopsmith::ui {
namespace {

constexpr Spacing kNormal{10.0, 28.0, 5.0, 29.0, 10.0, 32.0, 36.0, 19.0};
constexpr Spacing kCompact{5.0, 24.0, 3.0, 23.0, 6.0, 26.0, 22.0, 17.0};
constexpr qreal kPatternInset = 6.0; // from a pattern's frame to its rows, at most a gap
constexpr qreal kOperationsGap = 4.0; // between a part and its operations
constexpr qreal kUsualLine = 19.0; // line height up to which these spacings are used

// The same, scaled for a larger font.
Spacing scaled(Spacing spacing, const QFont& font)
{
    const qreal ratio = QFontMetricsF(font).height() / kUsualLine;
    if (ratio <= 1.0) {
        return spacing;
    }
    for (qreal* height :
         {&spacing.part, &spacing.title, &spacing.single, &spacing.dropZone, &spacing.chip}) {
        *height = std::round(*height * ratio);
    }
    return spacing;
}

// Larger or smaller, but no line lower than its text unless only bars are shown.
Spacing zoomed(Spacing spacing, double zoom, qreal line)
{
    if (zoom == 1.0) {
        return spacing;
    }
    const StackDetail detail = detailAt(zoom);
    for (qreal* height : {&spacing.gap, &spacing.partGap, &spacing.bottom}) {
        *height *= zoom;
    }
    for (qreal* height : {&spacing.part, &spacing.title, &spacing.single, &spacing.dropZone}) {
        *height *= zoom;
        *height = detail == StackDetail::bars ? *height : std::max(*height, line);
    }
    if (detail == StackDetail::operations) {
        spacing.part = std::max(spacing.part, 2.0 * line + kOperationsGap);
    }
    spacing.chip = std::min(spacing.chip, spacing.part);
    return spacing;
}

// Of the heads and lower edges of patterns that are between these rows.
qreal patternsHeight(const StackPicture& picture, const Spacing& spacing, const RowRange& rows)
{
    const auto isIn = [&rows](int row) { return rows.first <= row && row <= rows.last; };
    qreal height = 0.0;
    for (const StackPattern& pattern : picture.patterns) {
        height += isIn(pattern.firstRow) ? spacing.title : 0.0;
        height += isIn(pattern.lastRow) ? patternInset(spacing) : 0.0;
    }
    return height;
}

qreal heightOf(const StackPicture& picture, const Spacing& spacing)
{
    const RowRange all{0, static_cast<int>(picture.rows.size()) - 1};
    qreal height = 2.0 * kStackMargin + spacing.dropZone + patternsHeight(picture, spacing, all);
    for (const StackRow& row : picture.rows) {
        height += heightOf(row, spacing) + spacing.gap;
    }
    return height;
}

// Of some rows, or of all with the drop zone.
qreal heightOf(const StackPicture& picture, const Spacing& spacing, const RowRange& rows)
{
    const int last = static_cast<int>(picture.rows.size()) - 1;
    if (rows.first <= 0 && rows.last >= last) {
        return heightOf(picture, spacing);
    }
    qreal height = static_cast<qreal>(rows.last - rows.first) * spacing.gap
        + patternsHeight(picture, spacing, rows);
    for (int row = rows.first; row <= rows.last; ++row) {
        height += heightOf(picture.rows[static_cast<std::size_t>(row)], spacing);
    }
    return height;
}

// The usual spacing, or the compact one if the stack is too high at 100 %.
Spacing baseSpacing(const StackPicture& picture, const QSizeF& available, const QFont& font)
{
    const Spacing normal = scaled(kNormal, font);
    return heightOf(picture, normal) <= available.height() ? normal : scaled(kCompact, font);
}

} // namespace

Spacing spacingAt(double zoom,
                  const StackPicture& picture,
                  const QSizeF& available,
                  const QFont& titleFont)
{
    return zoomed(baseSpacing(picture, available, titleFont), zoom, lineOf(titleFont));
}

qreal lineOf(const QFont& font)
{
    return std::ceil(QFontMetricsF(font).height());
}

qreal heightOf(const StackRow& row, const Spacing& spacing)
{
    if (row.kind != StackRow::Kind::run) {
        return spacing.single;
    }
    const auto parts = static_cast<qreal>(row.parts.size());
    const qreal gaps = std::max(0.0, parts - 1.0) * spacing.partGap;
    return spacing.title + parts * spacing.part + gaps + spacing.bottom;
}

qreal patternInset(const Spacing& spacing)
{
    return std::min(kPatternInset, spacing.gap);
}

double fittingZoom(const StackPicture& picture,
                   const QSizeF& available,
                   const QFont& titleFont,
                   const RowRange& rows,
                   double most)
{
    constexpr int kHalvings = 40;
    constexpr qreal kRounding = 1e-6;
    const qreal line = lineOf(titleFont);
    const Spacing base = baseSpacing(picture, available, titleFont);
    const auto fits = [&](double zoom, qreal slack) {
        return heightOf(picture, zoomed(base, zoom, line), rows) + slack <= available.height();
    };
    if (fits(most, 0.0)) {
        return most;
    }
    double low = kMinZoom;
    double high = most;
    for (int i = 0; i < kHalvings; ++i) { // heights grow with the zoom
        const double middle = (low + high) / 2.0;
        (fits(middle, kRounding) ? low : high) = middle;
    }
    return low;
}

} // namespace flopsmith::ui
