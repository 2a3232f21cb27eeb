// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/stack_geometry.h"

#include "ui/theme/text_cache.h"
#include "ui/theme/utf8.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr qreal kMargin = 2.0;
constexpr qreal kInset = 12.0; // from a frame's edge to its parts

// Heights and gaps; the compact ones show GPT-2's stack in a window of 720 lines.
struct Spacing
{
    qreal gap; // between frames, bridged by the residual stream
    qreal part;
    qreal partGap;
    qreal title;
    qreal bottom; // below the last part of a run
    qreal single;
    qreal dropZone;
    qreal chip;
};

constexpr Spacing kNormal{10.0, 28.0, 5.0, 29.0, 10.0, 32.0, 36.0, 19.0};
constexpr Spacing kCompact{5.0, 24.0, 3.0, 23.0, 6.0, 26.0, 22.0, 17.0};
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

constexpr qreal kChipPadding = 7.0;
constexpr qreal kChipGap = 5.0;
constexpr qreal kBarHeight = 6.0;
constexpr qreal kTextInset = 12.0; // from a part's coloured edge to its title
constexpr qreal kDetailGap = 14.0;
constexpr qreal kMinDetail = 48.0; // a narrower detail is left out
constexpr qreal kColumnGap = 10.0;

/// Widths of the text columns that all rows share.
struct Columns
{
    qreal titles = 0.0;
    qreal values = 0.0;
};

Columns columnsOf(const StackPicture& picture, const QFont& font)
{
    // At least as wide as most values, so that bars do not jump while a slider moves.
    Columns columns{.values = unkernedWidth(font, QStringLiteral("000.0 G"))};
    for (const StackRow& row : picture.rows) {
        for (const StackPart& part : row.parts) {
            columns.titles = std::max(columns.titles, textWidth(font, fromUtf8(part.title)));
            columns.values = std::max(columns.values, unkernedWidth(font, fromUtf8(part.bar.text)));
        }
    }
    return columns;
}

/// Places rows below each other; all of them share the columns.
class Layouter
{
public:
    Layouter(const StackPicture& picture,
             qreal width,
             const Columns& columns,
             const QFont& titleFont,
             const QFont& chipFont,
             const Spacing& spacing)
        : m_picture(picture)
        , m_width(width)
        , m_chipFont(chipFont)
        , m_spacing(scaled(spacing, titleFont))
    {
        m_valueRight = width - kMargin - kInset - 2.0;
        m_valueLeft = m_valueRight - columns.values;
        m_barRight = m_valueLeft - kColumnGap;
        m_barLeft = m_barRight - std::clamp((m_barRight - kLeft) * 0.27, 40.0, 220.0);
        m_partRight = m_barLeft - kColumnGap - 6.0;
        m_titleRight = std::min(kLeft + kTextInset + columns.titles + 2.0, m_partRight - 8.0);
    }

    StackGeometry geometry() const
    {
        StackGeometry geometry;
        qreal y = kMargin;
        for (const StackRow& row : m_picture.rows) {
            geometry.rows.push_back(row.kind == StackRow::Kind::run ? run(row, y) : single(row, y));
            y = geometry.rows.back().frame.bottom() + m_spacing.gap;
        }
        geometry.dropZone = QRectF(kMargin, y, m_width - 2.0 * kMargin, m_spacing.dropZone);
        geometry.size = QSizeF(m_width, geometry.dropZone.bottom() + kMargin);
        return geometry;
    }

private:
    static constexpr qreal kLeft = kMargin + kInset;

    RowGeometry run(const StackRow& row, qreal top) const
    {
        RowGeometry geometry;
        qreal y = top + m_spacing.title;
        for (const StackPart& shown : row.parts) {
            const QRectF box(kLeft, y, m_partRight - kLeft, m_spacing.part);
            geometry.parts.push_back(part(shown, box, kLeft + kTextInset));
            y += m_spacing.part + m_spacing.partGap;
        }
        const qreal bottom = y - (row.parts.empty() ? 0.0 : m_spacing.partGap) + m_spacing.bottom;
        geometry.frame = QRectF(kMargin, top, m_width - 2.0 * kMargin, bottom - top);
        const qreal height = m_spacing.title - 2.0;
        const qreal split = kLeft + (m_valueRight - kLeft) * 0.7;
        geometry.title = QRectF(kLeft, top + 1.0, split - kLeft, height);
        geometry.repeat = QRectF(split, top + 1.0, m_valueRight - split, height);
        return geometry;
    }

    RowGeometry single(const StackRow& row, qreal top) const
    {
        RowGeometry geometry;
        geometry.frame = QRectF(kMargin, top, m_width - 2.0 * kMargin, m_spacing.single);
        const QRectF box(kLeft, top, m_partRight - kLeft, m_spacing.single);
        for (const StackPart& shown : row.parts) {
            geometry.parts.push_back(part(shown, box, kLeft)); // its title stands below the runs'
        }
        return geometry;
    }

    PartGeometry part(const StackPart& shown, const QRectF& box, qreal titleLeft) const
    {
        PartGeometry geometry;
        const qreal middle = box.center().y();
        const qreal right = m_partRight - 8.0;
        const qreal detail = m_titleRight + kDetailGap;
        geometry.box = box;
        geometry.title = QRectF(titleLeft, box.top(), m_titleRight - titleLeft, box.height());
        if (!shown.chips.empty()) {
            geometry.chips = chips(shown, detail - 2.0, right, middle);
        } else if (right - detail >= kMinDetail) {
            geometry.detail = QRectF(detail, box.top(), right - detail, box.height());
        }
        geometry.bar =
            QRectF(m_barLeft, middle - kBarHeight / 2.0, m_barRight - m_barLeft, kBarHeight);
        geometry.value = QRectF(m_valueLeft, box.top(), m_valueRight - m_valueLeft, box.height());
        return geometry;
    }

    // From left to right; items that do not fit are left out.
    std::vector<QRectF> chips(const StackPart& shown, qreal left, qreal right, qreal middle) const
    {
        std::vector<QRectF> rects;
        for (const StageChip& chip : shown.chips) {
            const qreal width =
                textWidth(m_chipFont, fromUtf8(chip.shortTitle)) + 2.0 * kChipPadding;
            if (left + width > right) {
                break;
            }
            rects.emplace_back(left, middle - m_spacing.chip / 2.0, width, m_spacing.chip);
            left += width + kChipGap;
        }
        return rects;
    }

    const StackPicture& m_picture;
    qreal m_width;
    const QFont& m_chipFont;
    Spacing m_spacing;
    qreal m_titleRight = 0.0;
    qreal m_partRight = 0.0;
    qreal m_barLeft = 0.0;
    qreal m_barRight = 0.0;
    qreal m_valueLeft = 0.0;
    qreal m_valueRight = 0.0;
};

} // namespace

StackGeometry stackGeometry(const StackPicture& picture,
                            const QSizeF& available,
                            const QFont& titleFont,
                            const QFont& chipFont)
{
    const Columns columns = columnsOf(picture, titleFont);
    const auto laidOut = [&](const Spacing& spacing) {
        return Layouter(picture, available.width(), columns, titleFont, chipFont, spacing)
            .geometry();
    };
    const StackGeometry normal = laidOut(kNormal);
    return normal.size.height() <= available.height() ? normal : laidOut(kCompact);
}

} // namespace flopsmith::ui
