// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/base/stack_geometry.h"

#include "ui/canvas/base/stack_heights.h"
#include "ui/theme/text_cache.h"
#include "ui/theme/utf8.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_set>

namespace flopsmith::ui {
namespace {

constexpr qreal kInset = 12.0; // from a frame's edge to its parts

constexpr qreal kChipPadding = 7.0;
constexpr qreal kChipGap = 5.0;
constexpr qreal kBarHeight = 6.0;
constexpr qreal kTextInset = 12.0; // from a part's coloured edge to its title
constexpr qreal kDetailGap = 14.0;
constexpr qreal kMinDetail = 48.0; // a narrower detail is left out
constexpr qreal kColumnGap = 10.0;
constexpr qreal kBarTitles = 0.4; // of the width, for titles beside bars
constexpr qreal kMinPiece = 3.0; // of a bar, so that a small cost is visible

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
    std::unordered_set<std::string_view> measured; // in a tall stack most titles are the same
    for (const StackRow& row : picture.rows) {
        for (const StackPart& part : row.parts) {
            if (measured.insert(part.title).second) {
                columns.titles = std::max(columns.titles, textWidth(font, fromUtf8(part.title)));
            }
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
             const Spacing& spacing,
             StackDetail detail)
        : m_picture(picture)
        , m_width(width)
        , m_line(lineOf(titleFont))
        , m_titleFont(titleFont)
        , m_chipFont(chipFont)
        , m_spacing(spacing)
        , m_detail(detail)
    {
        m_valueRight = width - kStackMargin - kInset - 2.0;
        m_valueLeft = m_valueRight - columns.values;
        m_barRight = m_valueLeft - kColumnGap;
        m_barLeft = m_barRight - std::clamp((m_barRight - kLeft) * 0.27, 40.0, 220.0);
        m_partRight = m_barLeft - kColumnGap - 6.0;
        m_titleRight = std::min(kLeft + kTextInset + columns.titles + 2.0, m_partRight - 8.0);
    }

    StackGeometry geometry() const
    {
        StackGeometry geometry;
        geometry.gap = m_spacing.gap;
        geometry.detail = m_detail;
        const RowCosts costs = m_detail == StackDetail::bars ? rowCosts() : RowCosts{};
        qreal y = kStackMargin;
        for (const StackRow& row : m_picture.rows) {
            y = beginPattern(geometry, row, y);
            geometry.rows.push_back(m_detail == StackDetail::bars         ? bars(row, y, costs)
                                        : row.kind == StackRow::Kind::run ? run(row, y)
                                                                          : single(row, y));
            y = endPattern(geometry, row) + m_spacing.gap;
        }
        geometry.dropZone =
            QRectF(kStackMargin, y, m_width - 2.0 * kStackMargin, m_spacing.dropZone);
        geometry.size = QSizeF(m_width, geometry.dropZone.bottom() + kStackMargin);
        return geometry;
    }

private:
    static constexpr qreal kLeft = kStackMargin + kInset;

    const StackPattern* patternOfRow(const StackRow& row) const
    {
        return row.pattern < 0 ? nullptr
                               : &m_picture.patterns[static_cast<std::size_t>(row.pattern)];
    }

    // Adds the head of the pattern that the next row begins, if it does; returns where the row goes.
    qreal beginPattern(StackGeometry& geometry, const StackRow& row, qreal top) const
    {
        const StackPattern* pattern = patternOfRow(row);
        if (pattern == nullptr || pattern->firstRow != static_cast<int>(geometry.rows.size())) {
            return top;
        }
        geometry.patterns.push_back(patternHead(*pattern, top));
        return geometry.patterns.back().head.bottom();
    }

    // Puts the last row into its pattern, if it has one; returns where it, or the pattern that it
    // closes, ends.
    qreal endPattern(StackGeometry& geometry, const StackRow& row) const
    {
        QRectF& frame = geometry.rows.back().frame;
        const StackPattern* pattern = patternOfRow(row);
        if (pattern == nullptr) {
            return frame.bottom();
        }
        const qreal inset = patternInset(m_spacing);
        frame.adjust(inset, 0.0, -inset, 0.0);
        QRectF& around = geometry.patterns.back().frame;
        around.setBottom(frame.bottom() + inset);
        const bool closes = pattern->lastRow + 1 == static_cast<int>(geometry.rows.size());
        return closes ? around.bottom() : frame.bottom();
    }

    PatternGeometry patternHead(const StackPattern& pattern, qreal top) const
    {
        PatternGeometry geometry;
        const qreal height = m_spacing.title;
        geometry.head = QRectF(kStackMargin, top, m_width - 2.0 * kStackMargin, height);
        geometry.frame = geometry.head;
        if (height >= m_line) {
            const qreal badge =
                textWidth(m_titleFont, fromUtf8(pattern.timesText)) + 2.0 * kChipPadding;
            geometry.badge = QRectF(m_valueRight - badge, top + 2.0, badge, height - 4.0);
            geometry.title = QRectF(kLeft, top, geometry.badge.left() - kChipGap - kLeft, height);
        }
        return geometry;
    }

    RowGeometry run(const StackRow& row, qreal top) const
    {
        RowGeometry geometry;
        qreal y = top + m_spacing.title;
        for (const StackPart& shown : row.parts) {
            const QRectF box(kLeft, y, m_partRight - kLeft, m_spacing.part);
            geometry.parts.push_back(m_detail == StackDetail::operations
                                         ? opened(shown, box)
                                         : part(shown, box, kLeft + kTextInset));
            y += m_spacing.part + m_spacing.partGap;
        }
        const qreal bottom = y - (row.parts.empty() ? 0.0 : m_spacing.partGap) + m_spacing.bottom;
        geometry.frame = QRectF(kStackMargin, top, m_width - 2.0 * kStackMargin, bottom - top);
        const qreal height = m_spacing.title - 2.0;
        const qreal split = kLeft + (m_valueRight - kLeft) * 0.7;
        geometry.title = QRectF(kLeft, top + 1.0, split - kLeft, height);
        geometry.repeat = QRectF(split, top + 1.0, m_valueRight - split, height);
        return geometry;
    }

    static double costOf(const StackRow& row)
    {
        return std::accumulate(
            row.parts.begin(), row.parts.end(), 0.0, [](double sum, const StackPart& part) {
                return sum + part.bar.value;
            });
    }

    struct RowCosts
    {
        double dearest = 0.0;
        double all = 0.0;
    };

    RowCosts rowCosts() const
    {
        RowCosts costs;
        for (const StackRow& row : m_picture.rows) {
            const double cost = costOf(row);
            costs.dearest = std::max(costs.dearest, cost);
            costs.all += cost;
        }
        return costs;
    }

    // A bar with a piece for each part. Titles stand beside it where they are not too high.
    RowGeometry bars(const StackRow& row, qreal top, const RowCosts& costs) const
    {
        RowGeometry geometry;
        const qreal height = heightOf(row, m_spacing);
        const bool titles = m_spacing.title + m_spacing.part + m_spacing.bottom >= m_line;
        const qreal left = titles ? kLeft + (m_valueRight - kLeft) * kBarTitles : kLeft;
        const qreal right = titles ? m_barRight : m_valueRight;
        geometry.frame = QRectF(kStackMargin, top, m_width - 2.0 * kStackMargin, height);
        if (height >= m_line) {
            geometry.title = QRectF(kLeft, top, left - kColumnGap - kLeft, height);
            geometry.repeat = QRectF(m_valueLeft, top, m_valueRight - m_valueLeft, height);
        }
        geometry.share = costs.all > 0.0 ? costOf(row) / costs.all : 0.0;
        const qreal inset = height * 0.2;
        qreal x = left;
        for (const StackPart& part : row.parts) {
            const double share = costs.dearest > 0.0 ? part.bar.value / costs.dearest : 0.0;
            const qreal width = part.bar.value > 0.0
                ? std::min(right - x, std::max(kMinPiece, (right - left) * share))
                : 0.0;
            geometry.bars.emplace_back(x, top + inset, width, height - 2.0 * inset);
            x += width;
        }
        return geometry;
    }

    RowGeometry single(const StackRow& row, qreal top) const
    {
        RowGeometry geometry;
        geometry.frame = QRectF(kStackMargin, top, m_width - 2.0 * kStackMargin, m_spacing.single);
        const QRectF box(kLeft, top, m_partRight - kLeft, m_spacing.single);
        for (const StackPart& shown : row.parts) {
            geometry.parts.push_back(part(shown, box, kLeft)); // its title stands below the runs'
        }
        return geometry;
    }

    // The part in the upper half of its box, its operations in the lower one.
    PartGeometry opened(const StackPart& shown, const QRectF& box) const
    {
        QRectF upper = box;
        upper.setHeight(box.height() / 2.0);
        PartGeometry geometry = part(shown, upper, kLeft + kTextInset);
        geometry.box = box;
        geometry.operations = QRectF(geometry.title.left(),
                                     upper.bottom(),
                                     m_partRight - 8.0 - geometry.title.left(),
                                     box.height() - upper.height());
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
    qreal m_line;
    const QFont& m_titleFont;
    const QFont& m_chipFont;
    Spacing m_spacing;
    StackDetail m_detail;
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
                            const QFont& chipFont,
                            double zoom)
{
    const Spacing spacing = spacingAt(zoom, picture, available, titleFont);
    const Columns columns = columnsOf(picture, titleFont);
    return Layouter(
               picture, available.width(), columns, titleFont, chipFont, spacing, detailAt(zoom))
        .geometry();
}

namespace {

// Where row 0 … n and the drop zone, n, start; n + 1 is the stack's end.
qreal startOf(const StackGeometry& geometry, int row)
{
    const auto index = static_cast<std::size_t>(row);
    return row <= 0                     ? 0.0
        : index < geometry.rows.size()  ? geometry.rows[index].frame.top()
        : index == geometry.rows.size() ? geometry.dropZone.top()
                                        : geometry.size.height();
}

} // namespace

StackAnchor anchorAt(const StackGeometry& geometry, qreal y)
{
    const auto next = std::upper_bound(
        geometry.rows.begin(), geometry.rows.end(), y, [](qreal at, const RowGeometry& row) {
            return at < row.frame.top();
        });
    const auto begun = static_cast<int>(next - geometry.rows.begin());
    const int row = y >= geometry.dropZone.top() ? static_cast<int>(geometry.rows.size())
                                                 : std::max(0, begun - 1);
    const qreal start = startOf(geometry, row);
    const qreal length = startOf(geometry, row + 1) - start;
    return {row, length > 0.0 ? (y - start) / length : 0.0};
}

qreal heightOf(const StackGeometry& geometry, const StackAnchor& anchor)
{
    const qreal start = startOf(geometry, anchor.row);
    return start + anchor.share * (startOf(geometry, anchor.row + 1) - start);
}

} // namespace flopsmith::ui
