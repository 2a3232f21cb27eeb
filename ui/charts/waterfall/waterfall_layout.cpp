// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/waterfall/waterfall_figure.h"

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr double kWaterfallGap = 8.0;
constexpr double kMinStep = 1.5; ///< pixels: a step is never invisible
constexpr double kWaterfallGhostGap = 1.0; ///< above a ghost
constexpr double kMinSteps = 5.0; ///< that the legend leaves room for

class WaterfallLayouter
{
public:
    WaterfallLayouter(const WaterfallChart& chart, const QRectF& area, const ChartStyle& style)
        : m_chart(chart)
        , m_area(area)
        , m_style(style)
    {}

    WaterfallLayout layout()
    {
        const double ticks = m_style.lineHeight(kSmallTextSize);
        const double note = m_chart.note.empty() ? 0.0 : m_style.lineHeight(kSmallTextSize) + 4.0;
        const bool showNote = note > 0.0 && m_area.height() >= 9.0 * m_style.lineHeight();
        const double below = ticks + (showNote ? note : 0.0);
        const double legend = chooseLegend(m_area.height() - below);
        const double bottom = m_area.bottom() - below - legend;
        const double height = chooseRows(bottom - m_area.top());
        placeColumns();
        placeRows(height);
        double end = m_layout.plot.bottom();
        m_layout.ticks = QRectF(m_layout.plot.left(), end, m_layout.plot.width(), ticks);
        m_layout.legend.translate(m_area.left(), end + ticks + kWaterfallGap);
        end += legend;
        if (showNote) {
            m_layout.note = QRectF(m_area.left(), end + ticks + 4.0, m_area.width(), note - 4.0);
        }
        return std::move(m_layout);
    }

private:
    double leastRow() const { return m_style.lineHeight(0.92); }

    // The designs' colours, as far as they leave the bars their room; gives their height.
    double chooseLegend(double height)
    {
        std::vector<FlowEntry> entries;
        for (const WaterfallDesign& other : m_chart.others) {
            entries.push_back({other.mark, toQt(other.title), toQt(other.text), kDesignWeight});
        }
        const double spare = height - kMinSteps * leastRow() - kWaterfallGap;
        m_layout.legend = flowLegend(entries, m_area.width(), spare, m_style);
        return m_layout.legend.height > 0.0 ? kWaterfallGap + m_layout.legend.height : 0.0;
    }

    // The height of a row, after joining the steps that have no room.
    double chooseRows(double height)
    {
        const auto room = static_cast<std::size_t>(std::max(3.0, std::floor(height / leastRow())));
        m_layout.chart = m_chart.withSteps(room - 2);
        const auto rows = static_cast<double>(m_layout.chart.bars.size());
        return std::clamp(height / rows, leastRow(), 2.6 * m_style.textPixels);
    }

    void placeColumns()
    {
        for (const WaterfallBar& bar : m_layout.chart.bars) {
            m_labels = std::max(m_labels, textWidth(m_style.font(0.92), toQt(bar.title)));
            m_values = std::max(
                m_values, textWidth(m_style.font(0.92, QFont::DemiBold), toQt(bar.valueText)));
        }
        m_labels = std::min(m_labels, 0.36 * m_area.width());
        const double left = m_area.left() + m_labels + kWaterfallGap;
        const double right = std::max(left + 20.0, m_area.right() - m_values - kWaterfallGap);
        m_layout.plot = QRectF(left, m_area.top(), right - left, 0.0);
        chooseAxis();
    }

    // The most ticks whose labels keep a distance.
    void chooseAxis()
    {
        int most = 7;
        do {
            m_layout.axis = m_layout.chart.axis(most);
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
        for (const WaterfallBar& bar : m_layout.chart.bars) {
            WaterfallLayout::Row row{.rect = {m_area.left(), y, m_area.width(), height}};
            row.label = QRectF(m_area.left(), y, m_labels, height);
            row.value = QRectF(m_area.right() - m_values, y, m_values, height);
            row.bar = barOf(bar, y, height);
            placeGhosts(bar, row);
            m_layout.rows.push_back(row);
            y += height;
        }
        m_layout.plot.setBottom(y);
    }

    static double ghostStep(double height)
    {
        return kWaterfallGhostGap + std::clamp(0.14 * height, 2.0, 5.0);
    }

    QRectF barOf(const WaterfallBar& bar, double y, double height) const
    {
        const double ghosts = ghostStep(height) * static_cast<double>(bar.ghosts.size());
        const double usual = std::clamp(0.6 * height, 5.0, 18.0);
        const double thick = std::clamp(height - 2.0 - ghosts, 4.0, usual);
        const double top = y + (height - thick - ghosts) / 2;
        return between(bar, bar.before, bar.after, top, thick);
    }

    // Of a total from the axis on, of a step where it hangs.
    QRectF between(const WaterfallBar& bar,
                   double before,
                   double after,
                   double y,
                   double thick) const
    {
        const bool stands =
            bar.kind == WaterfallBar::Kind::start || bar.kind == WaterfallBar::Kind::end;
        const double from = stands ? m_layout.xOf(m_layout.axis.low) : m_layout.xOf(before);
        const double to = m_layout.xOf(after);
        const double width = std::max(kMinStep, std::abs(to - from));
        return {std::min(from, to), y, width, thick};
    }

    // Thin bars below that of the scenario; nothing of a step that a design does not have.
    void placeGhosts(const WaterfallBar& bar, WaterfallLayout::Row& row) const
    {
        const double step = ghostStep(row.rect.height());
        double y = row.bar.bottom() + kWaterfallGhostGap;
        for (const WaterfallGhost& ghost : bar.ghosts) {
            const QRectF place =
                between(bar, ghost.before, ghost.after, y, step - kWaterfallGhostGap);
            row.ghosts.push_back(ghost.amount == 0 ? QRectF() : place);
            y += step;
        }
    }

    const WaterfallChart& m_chart;
    QRectF m_area;
    const ChartStyle& m_style;
    double m_labels = 0.0;
    double m_values = 0.0;
    WaterfallLayout m_layout;
};

} // namespace

WaterfallLayout waterfallLayout(const WaterfallChart& chart,
                                const QRectF& area,
                                const ChartStyle& style)
{
    return WaterfallLayouter(chart, area, style).layout();
}

} // namespace flopsmith::ui
