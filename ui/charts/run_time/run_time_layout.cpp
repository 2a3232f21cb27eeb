// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/base/bar_rows.h"
#include "ui/charts/run_time/run_time_figure.h"

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr double kLabels = 0.45; ///< of the width, at most, for the names of rows
constexpr double kStageIndent = 12.0;
constexpr double kStageBar = 0.6; ///< to the bar of a whole: it is inside of it
constexpr double kEasyRow = 1.25; ///< to the least height
constexpr double kMinThickness = 5.0;
constexpr double kMinBoundThickness = 3.5;
constexpr double kBetweenBars = 1.5;
constexpr double kMinGhost = 2.0;
constexpr double kMinBarRows = 4.0; ///< that the legend leaves space for
constexpr double kRunTimeLegendGap = 6.0;

class RunTimeLayouter
{
public:
    RunTimeLayouter(const RunTimeTable& table, const QRectF& area, const ChartStyle& style)
        : m_table(table)
        , m_area(area)
        , m_style(style)
    {
        std::transform(
            table.rows.begin(), table.rows.end(), std::back_inserter(m_lengths), longest);
    }

    RunTimeLayout layout()
    {
        const double line = m_style.lineHeight();
        m_layout.total = QRectF(m_area.left(), m_area.top(), m_area.width(), line);
        const double top = m_area.top() + line + 6.0;
        const double legend = chooseLegend(m_area.bottom() - top);
        const BarNotes notes(
            m_table.note, m_table.key, m_area.width(), noteSpace(top + legend), m_style);
        double bottom = m_area.bottom() - notes.height() - legend;
        const std::vector<std::size_t> shown = chooseRows(bottom - top);
        if (m_layout.hidden > 0) {
            const double height = m_style.lineHeight(0.85);
            bottom -= height;
            m_layout.hiddenText = {QRectF(m_area.left(), bottom, m_area.width(), height),
                                   notes.hiddenText(m_layout.hidden)};
        }
        const double rows = placeRows(shown, top, bottom);
        const double end = m_layout.hidden > 0 ? m_layout.hiddenText.rect.bottom() : rows;
        m_layout.legend.translate(m_area.left(), end + kRunTimeLegendGap);
        m_layout.notes = notes.below({m_area.left(), end + legend});
        return std::move(m_layout);
    }

private:
    double minRowHeight() const
    {
        const double ghosts = static_cast<double>(m_table.others.size());
        const double bars = kMinThickness
            + (m_table.peaksKnown ? kBetweenBars + kMinBoundThickness : 0.0)
            + ghosts * (kBetweenBars + kMinGhost) + 2.0;
        return std::max(m_style.lineHeight(0.92) - 1.0, ghosts > 0.0 ? bars : 0.0);
    }

    // Places the designs' colours and totals, as far as the bars have enough space; returns their
    // height.
    double chooseLegend(double height)
    {
        std::vector<FlowEntry> entries;
        for (const RunTimeDesign& other : m_table.others) {
            entries.push_back(
                {other.mark, toQt(other.title), toQt(other.totalText), kDesignWeight});
        }
        const double spare = height - kMinBarRows * minRowHeight() - kRunTimeLegendGap;
        m_layout.legend = flowLegend(entries, m_area.width(), spare, m_style);
        return m_layout.legend.height > 0.0 ? kRunTimeLegendGap + m_layout.legend.height : 0.0;
    }

    // The heights that the rows leave, crowded or not.
    BarNotes::Space noteSpace(double top) const
    {
        const double rows = static_cast<double>(m_table.rows.size()) * minRowHeight();
        const double all = m_area.bottom() - top;
        return {.comfortable = all - kEasyRow * rows, .minimum = all - rows};
    }

    // All rows, or those with the longest bars, in the order of the model.
    std::vector<std::size_t> chooseRows(double height)
    {
        const std::size_t all = m_table.rows.size();
        const std::size_t room = fittingRows(height, minRowHeight());
        const std::size_t shown = all <= room ? all : std::max<std::size_t>(room - 1, 1);
        m_layout.hidden = all - shown;
        return longestRows(m_lengths, shown);
    }

    static double longest(const RunTimeRow& row)
    {
        double maxSeconds = std::max(row.seconds, row.lowerBoundSeconds);
        for (const RunTimeGhost& ghost : row.ghosts) {
            maxSeconds = std::max(maxSeconds, ghost.seconds);
        }
        return maxSeconds;
    }

    double placeRows(const std::vector<std::size_t>& shown, double top, double bottom)
    {
        const auto count = static_cast<double>(std::max<std::size_t>(shown.size(), 1));
        const double height =
            std::clamp((bottom - top) / count, minRowHeight(), 3.1 * m_style.textPixels);
        m_shortTitles = widestTitle(shown) > kLabels * m_area.width();
        const double labels = std::min(widestTitle(shown), kLabels * m_area.width());
        const double values =
            widest(shown, m_style.font(kRowTextSize, QFont::DemiBold), &RunTimeRow::timeText);
        const double rates = widest(shown, m_style.font(kSmallTextSize), &RunTimeRow::rateText);
        const double barLeft = m_area.left() + labels + kCellGap;
        double barRoom = m_area.right() - barLeft - kCellGap - values;
        const bool showRates = rates > 0.0 && barRoom - kCellGap - rates >= 0.25 * m_area.width();
        barRoom -= showRates ? kCellGap + rates : 0.0;
        barRoom = std::max(barRoom, 8.0);
        const double most =
            m_lengths.empty() ? 0.0 : *std::max_element(m_lengths.begin(), m_lengths.end());
        m_layout.pixelsPerSecond = most > 0.0 && std::isfinite(most) ? barRoom / most : 0.0;

        double y = top;
        for (const std::size_t index : shown) {
            RunTimeLayout::Row place{.row = index,
                                     .rect = {m_area.left(), y, m_area.width(), height}};
            place.label = QRectF(m_area.left(), y, labels, height);
            place.title = titleOf(m_table.rows[index]);
            placeBars(place, barLeft);
            const double end = endOfBars(place, barLeft) + kCellGap;
            place.value = QRectF(end, y, values, height);
            if (showRates) {
                place.rate = QRectF(m_area.right() - rates, y, rates, height);
            }
            m_layout.rows.push_back(place);
            y += height;
        }
        return y;
    }

    void placeBars(RunTimeLayout::Row& place, double left) const
    {
        const RunTimeRow& row = m_table.rows[place.row];
        const double height = place.rect.height();
        const double share = row.isStage ? kStageBar : 1.0;
        const double spare = height - minRowHeight();
        const double ghost = std::clamp(kMinGhost + 0.1 * spare, kMinGhost, 4.0);
        const double ghosts = (ghost + kBetweenBars) * static_cast<double>(row.ghosts.size());
        const double wanted = row.ghosts.empty() ? 0.22 * height : kMinBoundThickness + 0.2 * spare;
        const double thin = std::clamp(wanted, kMinBoundThickness, 7.0);
        const double below = (m_table.peaksKnown ? thin + kBetweenBars : 0.0) + ghosts;
        const double free = std::max(kMinThickness, height - 2.0 - below);
        const double thick = share * std::min(std::clamp(height * 0.34, kMinThickness, 13.0), free);
        const double top = place.rect.center().y() - (thick + below) / 2;
        if (row.seconds > 0.0) {
            place.measured = QRectF(left, top, barLength(row.seconds), thick);
        }
        if (row.lowerBoundSeconds > 0.0) {
            place.bound =
                QRectF(left, top + thick + kBetweenBars, barLength(row.lowerBoundSeconds), thin);
        }
        double y = top + thick + below - ghosts + kBetweenBars;
        for (const RunTimeGhost& each : row.ghosts) {
            const QRectF bar(left, y, barLength(each.seconds), ghost);
            place.ghosts.push_back(each.seconds > 0.0 ? bar : QRectF());
            y += ghost + kBetweenBars;
        }
    }

    static double endOfBars(const RunTimeLayout::Row& place, double left)
    {
        double end = std::max({left, place.measured.right(), place.bound.right()});
        for (const QRectF& ghost : place.ghosts) {
            end = std::max(end, ghost.right());
        }
        return end;
    }

    double barLength(double seconds) const
    {
        return std::max(kMinBar, seconds * m_layout.pixelsPerSecond);
    }

    QString titleOf(const RunTimeRow& row) const
    {
        return toQt(m_shortTitles ? row.shortTitleText : row.titleText);
    }

    double widestTitle(const std::vector<std::size_t>& shown) const
    {
        double widest = 0.0;
        for (const std::size_t index : shown) {
            const RunTimeRow& row = m_table.rows[index];
            widest = std::max(widest,
                              textWidth(m_style.font(0.92), titleOf(row))
                                  + (row.isStage ? kStageIndent : 0.0));
        }
        return widest;
    }

    double widest(const std::vector<std::size_t>& shown,
                  const QFont& font,
                  std::string RunTimeRow::*text) const
    {
        return widestText(
            shown, font, [&](std::size_t row) { return toQt(m_table.rows[row].*text); });
    }

    const RunTimeTable& m_table;
    QRectF m_area;
    const ChartStyle& m_style;
    std::vector<double> m_lengths; ///< of the longest bar of each row, in seconds
    bool m_shortTitles = false;
    RunTimeLayout m_layout;
};

} // namespace

RunTimeLayout runTimeLayout(const RunTimeTable& table, const QRectF& area, const ChartStyle& style)
{
    return RunTimeLayouter(table, area, style).layout();
}

} // namespace flopsmith::ui
