// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/base/text_lines.h"
#include "ui/charts/memory/memory_figure.h"

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr double kMemoryGap = 8.0;
constexpr double kLegendGap = 8.0; ///< above the legend, and above the notes
constexpr double kGhostGap = 1.0; ///< above a ghost
constexpr double kMinBarRoom = 130.0; ///< pixels: below it the shares give way

class MemoryLayouter
{
public:
    MemoryLayouter(const MemoryChart& chart, const QRectF& area, const ChartStyle& style)
        : m_chart(chart)
        , m_area(area)
        , m_style(style)
    {}

    MemoryLayout layout()
    {
        const double tick = m_style.lineHeight(kSmallTextSize);
        const double heading = m_style.lineHeight(kRowTextSize) + 2.0;
        m_layout.heading = QRectF(m_area.left(), m_area.top(), m_area.width(), heading - 2.0);
        const double top = heading + (m_chart.limit ? tick + 2.0 : 0.0);
        const double below = placeBelow(top + tick);
        const double height = m_area.height() - top - tick - below;
        const double row = chooseRows(height);
        placeColumns();
        placeRows(m_area.top() + top, row);
        const double end = m_layout.plot.bottom();
        m_layout.ticks = QRectF(m_layout.plot.left(), end, m_layout.plot.width(), tick);
        moveBelow(end + tick);
        if (m_chart.limit) {
            placeLimit(m_layout.heading.bottom() + 2.0, tick);
        }
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
        for (const MemoryLegendEntry& entry : m_chart.legend) {
            entries.push_back(
                {entry.component, toQt(entry.title), toQt(entry.text), toDouble(entry.bytes)});
        }
        for (const MemoryLegendEntry& other : m_chart.others) {
            entries.push_back(
                {other.component, toQt(other.title), toQt(other.text), kDesignWeight});
        }
        m_layout.legend = flowLegend(entries, m_area.width(), spare - kLegendGap, m_style);
        double used = m_layout.legend.height > 0.0 ? kLegendGap + m_layout.legend.height : 0.0;
        const QStringList clauses = toQt(m_chart.note).split(QStringLiteral("; "));
        const QStringList lines =
            packedLines(clauses, m_style.font(kSmallTextSize), m_area.width());
        const double note = m_style.lineHeight(kSmallTextSize);
        const double notes = kLegendGap + note * static_cast<double>(lines.size());
        if (!m_chart.note.empty() && used + notes + bars * 0.25 * leastRow() <= spare) {
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
        return std::clamp(height / static_cast<double>(rows), leastRow(), 3.2 * m_style.textPixels);
    }

    void placeColumns()
    {
        const QFont bold = m_style.font(kRowTextSize, QFont::DemiBold);
        for (std::size_t i = 0; i < m_layout.rows.size(); ++i) {
            const MemoryBar& bar = m_chart.bars[i];
            m_labels = std::max(
                m_labels, textWidth(i == 0 ? bold : m_style.font(kRowTextSize), toQt(bar.title)));
            m_values = std::max(m_values, textWidth(bold, toQt(bar.text)));
            m_shares =
                std::max(m_shares, textWidth(m_style.font(kSmallTextSize), toQt(bar.shareText)));
        }
        m_labels = std::min(m_labels, 0.36 * m_area.width());
        const double left = m_area.left() + m_labels + kMemoryGap;
        double right = m_area.right() - m_values - m_shares - 2 * kMemoryGap;
        if (right - left < kMinBarRoom) {
            m_shares = 0.0;
            right = m_area.right() - m_values - kMemoryGap;
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

    void placeRows(double top, double height)
    {
        double y = top;
        for (std::size_t i = 0; i < m_layout.rows.size(); ++i) {
            MemoryLayout::Row& row = m_layout.rows[i];
            row.rect = QRectF(m_area.left(), y, m_area.width(), height);
            row.label = QRectF(m_area.left(), y, m_labels, height);
            row.share =
                m_shares > 0.0 ? QRectF(m_area.right() - m_shares, y, m_shares, height) : QRectF();
            const double end = m_area.right() - (m_shares > 0.0 ? m_shares + kMemoryGap : 0.0);
            row.value = QRectF(end - m_values, y, m_values, height);
            placePieces(m_chart.bars[i], row);
            y += height;
        }
        m_layout.plot.setTop(top);
        m_layout.plot.setBottom(y);
    }

    // End to end in the order of the model. The bar of everything has a component several times,
    // once for each kind: here they become one.
    void placePieces(const MemoryBar& bar, MemoryLayout::Row& row) const
    {
        const double usual = std::clamp((bar.kind ? 0.58 : 0.68) * row.rect.height(), 5.0, 20.0);
        const double ghosts = ghostStep(row) * static_cast<double>(bar.ghosts.size());
        const double thick = std::clamp(row.rect.height() - 2.0 - ghosts, 4.0, usual);
        const double y = row.rect.center().y() - (thick + ghosts) / 2;
        placeGhosts(bar, y + thick, row);
        double before = 0.0;
        for (const MemoryLegendEntry& entry : m_chart.legend) {
            Count bytes = 0;
            for (const MemorySegment& segment : bar.segments) {
                bytes += segment.component->id == entry.component->id ? segment.bytes : Count{0};
            }
            if (bytes > 0) {
                const double from = m_layout.xOf(before);
                before += toDouble(bytes);
                row.pieces.push_back(
                    {entry.component, bytes, QRectF(from, y, m_layout.xOf(before) - from, thick)});
            }
        }
    }

    static double ghostStep(const MemoryLayout::Row& row)
    {
        return kGhostGap + std::clamp(0.14 * row.rect.height(), 2.0, 5.0);
    }

    // Thin bars below that of the scenario.
    void placeGhosts(const MemoryBar& bar, double top, MemoryLayout::Row& row) const
    {
        const double left = m_layout.plot.left();
        const double step = ghostStep(row);
        for (const MemoryGhost& ghost : bar.ghosts) {
            const double length = m_layout.xOf(toDouble(ghost.bytes)) - left;
            const double shown = ghost.bytes > 0 ? std::max(length, kMinBar) : 0.0;
            row.ghosts.emplace_back(left, top + kGhostGap, shown, step - kGhostGap);
            top += step;
        }
    }

    // Above the line if it is on the axis, else at the right end.
    void placeLimit(double top, double height)
    {
        const bool beyond = m_chart.limit->bytes > m_layout.axis.high;
        m_layout.limitText =
            limitText(*m_chart.limit) + (beyond ? QStringLiteral(" \u2192") : QString());
        const double width =
            std::min(m_area.width(), textWidth(m_style.font(kSmallTextSize), m_layout.limitText));
        const double x = m_layout.xOf(std::min(m_chart.limit->bytes, m_layout.axis.high));
        const double left = std::clamp(x - width / 2, m_area.left(), m_area.right() - width);
        m_layout.limit = QRectF(left, top, width, height);
    }

    void moveBelow(double y)
    {
        if (m_layout.legend.height > 0.0) {
            m_layout.legend.translate(m_area.left(), y + kLegendGap);
            y += kLegendGap + m_layout.legend.height;
        }
        const double height = m_style.lineHeight(kSmallTextSize);
        y += kLegendGap;
        for (qsizetype i = 0; i < m_layout.noteLines.size(); ++i) {
            m_layout.notes.emplace_back(m_area.left(), y, m_area.width(), height);
            y += height;
        }
    }

    const MemoryChart& m_chart;
    QRectF m_area;
    const ChartStyle& m_style;
    double m_labels = 0.0;
    double m_values = 0.0;
    double m_shares = 0.0;
    MemoryLayout m_layout;
};

} // namespace

QString limitText(const MemoryLimit& limit)
{
    return limit.exceeded ? Charts::tr("%1: too little").arg(toQt(limit.text)) : toQt(limit.text);
}

MemoryLayout memoryLayout(const MemoryChart& chart, const QRectF& area, const ChartStyle& style)
{
    return MemoryLayouter(chart, area, style).layout();
}

} // namespace flopsmith::ui
