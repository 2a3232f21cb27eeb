// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/base/bar_rows.h"
#include "ui/charts/mislead/mislead_figure.h"

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr int kMaxLeftOutLines = 2;

class MisleadLayouter
{
public:
    MisleadLayouter(const MisleadTable& table, const QRectF& area, const ChartStyle& style)
        : m_table(table)
        , m_area(area)
        , m_style(style)
        , m_line(style.lineHeight(kRowTextSize))
        , m_small(style.lineHeight(kSmallTextSize))
    {}

    MisleadLayout layout()
    {
        m_layout.headline =
            QRectF(m_area.left(), m_area.top(), m_area.width(), m_style.lineHeight());
        const double top = placeLeftOut() + 6.0;
        double bottom = m_area.bottom();
        if (bottom - top >= 3.0 * rowHeight() + m_small) {
            m_layout.key = QRectF(m_area.left(), bottom - m_small, m_area.width(), m_small);
            bottom = m_layout.key.top() - 4.0;
        }
        measure();
        placeRows(top, bottom);
        return std::move(m_layout);
    }

private:
    double rowHeight() const { return m_line + m_small + 5.0; }

    // Its bottom.
    double placeLeftOut()
    {
        double y = m_layout.headline.bottom();
        if (m_table.leftOut.empty()) {
            return y;
        }
        const QFont font = m_style.font(kSmallTextSize);
        for (const QString& line : clauseLines(toQt(m_table.leftOut),
                                               QStringLiteral(", "),
                                               font,
                                               m_area.width(),
                                               kMaxLeftOutLines)) {
            m_layout.leftOut.push_back({QRectF(m_area.left(), y, m_area.width(), m_small), line});
            y += m_small;
        }
        return y;
    }

    void measure()
    {
        const QFont bold = m_style.font(kRowTextSize, QFont::DemiBold);
        m_labels = widestText(m_table.rows, m_style.font(kRowTextSize), [](const MisleadRow& row) {
            return toQt(row.titleText);
        });
        m_shares = widestText(m_table.rows, m_style.font(kSmallTextSize), sharesText);
        m_differences = widestText(
            m_table.rows, bold, [](const MisleadRow& row) { return toQt(row.differenceText); });
        m_labels = std::min(m_labels, 0.42 * m_area.width());
        const double fixed = m_labels + m_differences + 2 * kCellGap;
        if (m_area.width() - fixed - m_shares - kCellGap < 0.2 * m_area.width()) {
            m_shares = 0.0; // bars and card show them too
        }
    }

    static QString sharesText(const MisleadRow& row)
    {
        return toQt(row.flopText + " \u2192 " + row.timeText);
    }

    void placeRows(double top, double bottom)
    {
        std::size_t room = fittingRows(bottom - top, rowHeight());
        if (room < m_table.rows.size()) {
            room = fittingRows(bottom - m_small - top, rowHeight());
            m_layout.hidden = m_table.rows.size() - std::min(room, m_table.rows.size());
        }
        const std::size_t shown = std::min(room, m_table.rows.size());
        double y = top;
        for (std::size_t i = 0; i < shown; ++i, y += rowHeight()) {
            m_layout.rows.push_back(placed(i, y));
        }
        if (m_layout.hidden > 0) {
            m_layout.hiddenText = QRectF(m_area.left(), y, m_area.width(), m_small);
        }
    }

    MisleadLayout::Row placed(std::size_t index, double y) const
    {
        const PartShare& part = m_table.rows[index].part;
        MisleadLayout::Row row{.row = index,
                               .rect = {m_area.left(), y, m_area.width(), rowHeight() - 3.0}};
        row.label = QRectF(m_area.left(), y, m_labels, m_line);
        row.difference = QRectF(m_area.right() - m_differences, y, m_differences, m_line);
        const double left = row.label.right() + kCellGap;
        const double shares = m_shares > 0.0 ? m_shares + kCellGap : 0.0;
        const double full = std::max(8.0, row.difference.left() - kCellGap - shares - left);
        const double unit = m_table.longest > 0.0 ? full / m_table.longest : 0.0;
        const double thick = std::clamp(m_line * 0.34, 4.0, 7.0);
        const double middle = y + m_line / 2;
        row.flops = QRectF(left, middle - thick - 0.8, bar(part.flopShare, unit), thick);
        row.time = QRectF(left, middle + 0.8, bar(part.timeShare, unit), thick);
        if (m_shares > 0.0) {
            row.shares = QRectF(row.difference.left() - kCellGap - m_shares, y, m_shares, m_line);
        }
        row.reason = QRectF(m_area.left(), y + m_line, m_area.width(), m_small);
        return row;
    }

    static double bar(double share, double unit) { return std::max(kMinBar, share * unit); }

    const MisleadTable& m_table;
    QRectF m_area;
    const ChartStyle& m_style;
    double m_line;
    double m_small;
    double m_labels = 0.0;
    double m_shares = 0.0; ///< 0: no space for them
    double m_differences = 0.0;
    MisleadLayout m_layout;
};

} // namespace

MisleadLayout misleadLayout(const MisleadTable& table, const QRectF& area, const ChartStyle& style)
{
    return MisleadLayouter(table, area, style).layout();
}

} // namespace flopsmith::ui
