// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/base/text_lines.h"
#include "ui/charts/compare/compare_figure.h"

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr double kCompareLegendGap = 8.0; ///< above the legend, and above the notes
constexpr double kBarShare = 0.6; ///< of its row's height
constexpr double kThickestBar = 90.0; ///< pixels
constexpr double kMinCompareRoom = 130.0; ///< pixels of a bar: below it the ratios give way

class CompareLayouter
{
public:
    CompareLayouter(const ComparisonChart& chart, const QRectF& area, const ChartStyle& style)
        : m_chart(chart)
        , m_area(area)
        , m_style(style)
    {}

    CompareLayout layout()
    {
        const double tick = m_style.lineHeight(kSmallTextSize);
        const double below = placeBelow(tick);
        const double row = chooseRows(m_area.height() - tick - below);
        placeColumns();
        placeRows(row);
        const double end = m_layout.plot.bottom();
        m_layout.ticks = QRectF(m_layout.plot.left(), end, m_layout.plot.width(), tick);
        moveBelow(end + tick);
        return std::move(m_layout);
    }

private:
    double leastRow() const { return m_style.lineHeight(kRowTextSize); }

    // Legend and notes, as far as they leave the bars their room; gives their height.
    double placeBelow(double around)
    {
        const auto bars = static_cast<double>(m_chart.bars.size());
        const double spare = m_area.height() - around - bars * leastRow();
        std::vector<FlowEntry> entries;
        for (const ComparisonLegendEntry& entry : m_chart.legend) {
            entries.push_back(
                {entry.component, toQt(entry.component->title), {}, toDouble(entry.count)});
        }
        m_layout.legend = flowLegend(entries, m_area.width(), spare - kCompareLegendGap, m_style);
        double used =
            m_layout.legend.height > 0.0 ? kCompareLegendGap + m_layout.legend.height : 0.0;
        const QStringList clauses = toQt(m_chart.note).split(QStringLiteral("; "));
        const QStringList lines =
            packedLines(clauses, m_style.font(kSmallTextSize), m_area.width());
        const double notes = kCompareLegendGap
            + m_style.lineHeight(kSmallTextSize) * static_cast<double>(lines.size());
        if (used + notes + bars * 0.25 * leastRow() <= spare) {
            m_layout.noteLines = lines;
            used += notes;
        }
        return used;
    }

    double chooseRows(double height)
    {
        const auto room = static_cast<std::size_t>(std::max(1.0, std::floor(height / leastRow())));
        const std::size_t rows = std::min(room, m_chart.bars.size());
        m_layout.rows.resize(rows);
        return std::max(height / static_cast<double>(rows), leastRow());
    }

    void placeColumns()
    {
        const QFont bold = m_style.font(kRowTextSize, QFont::DemiBold);
        for (std::size_t i = 0; i < m_layout.rows.size(); ++i) {
            const ComparisonBar& bar = m_chart.bars[i];
            m_labels = std::max(m_labels, textWidth(m_style.font(kRowTextSize), toQt(bar.title)));
            m_values = std::max(m_values, textWidth(bold, toQt(bar.text)));
            m_ratios =
                std::max(m_ratios, textWidth(m_style.font(kSmallTextSize), toQt(bar.ratioText)));
        }
        m_labels = std::min(m_labels, 0.36 * m_area.width());
        const double left = m_area.left() + m_labels + kCellGap;
        double right = m_area.right() - m_values - m_ratios - 2 * kCellGap;
        if (right - left < kMinCompareRoom) {
            m_ratios = 0.0;
            right = m_area.right() - m_values - kCellGap;
        }
        m_layout.plot = QRectF(left, m_area.top(), std::max(20.0, right - left), 0.0);
        chooseAxis();
    }

    // The most ticks whose labels keep a distance.
    void chooseAxis()
    {
        int most = 7;
        do {
            m_layout.axis = m_chart.axis(most);
        } while (ticksTouch() && --most >= 2);
    }

    bool ticksTouch() const
    {
        double end = -1e9;
        for (const Tick& tick : m_layout.axis.ticks) {
            const double half = textWidth(m_style.font(kSmallTextSize), toQt(tick.label)) / 2;
            const double centre = m_layout.xOf(tick.value);
            if (centre - half < end + 8.0) {
                return true;
            }
            end = centre + half;
        }
        return false;
    }

    void placeRows(double height)
    {
        double y = m_area.top();
        for (std::size_t i = 0; i < m_layout.rows.size(); ++i) {
            CompareLayout::Row& row = m_layout.rows[i];
            row.rect = QRectF(m_area.left(), y, m_area.width(), height);
            row.label = QRectF(m_area.left(), y, m_labels, height);
            row.ratio =
                m_ratios > 0.0 ? QRectF(m_area.right() - m_ratios, y, m_ratios, height) : QRectF();
            const double end = m_area.right() - (m_ratios > 0.0 ? m_ratios + kCellGap : 0.0);
            row.value = QRectF(end - m_values, y, m_values, height);
            placePieces(m_chart.bars[i], row);
            y += height;
        }
        m_layout.plot.setBottom(y);
    }

    // End to end. A bar that would be too short to be seen is as long as the shortest that is.
    void placePieces(const ComparisonBar& bar, CompareLayout::Row& row) const
    {
        const double thick = std::clamp(kBarShare * row.rect.height(), 5.0, kThickestBar);
        const double y = row.rect.center().y() - thick / 2;
        const double left = m_layout.plot.left();
        const double width = m_layout.xOf(toDouble(bar.count)) - left;
        const double stretch = width > 0.0 ? std::max(1.0, kMinBar / width) : 1.0;
        for (const ComparisonSegment& segment : bar.segments) {
            const double from = left + stretch * (m_layout.xOf(segment.start) - left);
            const double to = left + stretch * (m_layout.xOf(segment.end) - left);
            row.pieces.emplace_back(from, y, to - from, thick);
        }
    }

    void moveBelow(double y)
    {
        if (m_layout.legend.height > 0.0) {
            m_layout.legend.translate(m_area.left(), y + kCompareLegendGap);
            y += kCompareLegendGap + m_layout.legend.height;
        }
        const double height = m_style.lineHeight(kSmallTextSize);
        y += kCompareLegendGap;
        for (qsizetype i = 0; i < m_layout.noteLines.size(); ++i) {
            m_layout.notes.emplace_back(m_area.left(), y, m_area.width(), height);
            y += height;
        }
    }

    const ComparisonChart& m_chart;
    QRectF m_area;
    const ChartStyle& m_style;
    double m_labels = 0.0;
    double m_values = 0.0;
    double m_ratios = 0.0;
    CompareLayout m_layout;
};

} // namespace

CompareLayout compareLayout(const ComparisonChart& chart,
                            const QRectF& area,
                            const ChartStyle& style)
{
    return CompareLayouter(chart, area, style).layout();
}

} // namespace flopsmith::ui
