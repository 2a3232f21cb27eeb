// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/waterfall/waterfall_figure.h"

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr double kMinStep = 1.5; ///< pixels: a step is never invisible
constexpr std::size_t kMinSteps = 5; ///< that the legend leaves room for
constexpr std::size_t kMinRows = 3; ///< two totals and what all steps come to
constexpr double kHighestStep = 2.6; ///< to the height of ordinary text
constexpr double kNoteGap = 4.0;
constexpr double kLinesWithNote = 9.0; ///< of a chart that has room for its note

// The designs' colours, as far as they leave the bars their room.
BelowBars legendBelow(const WaterfallChart& chart, QSizeF space, const ChartStyle& style)
{
    std::vector<FlowEntry> entries;
    for (const WaterfallDesign& other : chart.others) {
        entries.push_back({other.mark, toQt(other.title), toQt(other.text), kDesignWeight});
    }
    return belowBars(entries, QString(), kMinSteps, space, style);
}

std::vector<BarTexts> waterfallTexts(const WaterfallChart& chart)
{
    std::vector<BarTexts> texts;
    for (const WaterfallBar& bar : chart.bars) {
        texts.push_back({.label = toQt(bar.title),
                         .value = toQt(bar.valueText),
                         .labelWeight = isTotal(bar) ? QFont::DemiBold : QFont::Normal});
    }
    return texts;
}

/// Places the bar of a row and the thin bars of the designs below it.
class RowBars
{
public:
    RowBars(const WaterfallLayout& layout, std::size_t row)
        : m_layout(layout)
        , m_bar(layout.chart.bars[row])
        , m_band(barBand(layout.rows[row].rect,
                         std::clamp(0.6 * layout.rows[row].rect.height(), 5.0, 18.0),
                         m_bar.ghosts.size()))
    {}

    BarPiece bar() const
    {
        return {.amount = m_bar.amount,
                .rect = between(m_bar.before, m_bar.after, m_band.top, m_band.thickness)};
    }

    // Nothing of a step that a design does not have.
    std::vector<BarPiece> ghosts() const
    {
        std::vector<BarPiece> ghosts;
        double y = m_band.ghostTop;
        for (std::size_t i = 0; i < m_bar.ghosts.size(); ++i, y += m_band.ghostStep) {
            const WaterfallGhost& ghost = m_bar.ghosts[i];
            const QRectF rect = between(ghost.before, ghost.after, y, m_band.ghostThickness);
            ghosts.push_back(
                {m_layout.chart.others[i].mark, ghost.amount, ghost.amount == 0 ? QRectF() : rect});
        }
        return ghosts;
    }

private:
    // Of a total from the axis on, of a step where it hangs.
    QRectF between(double before, double after, double y, double thickness) const
    {
        const double from = m_layout.xOf(isTotal(m_bar) ? m_layout.axis.low : before);
        const double to = m_layout.xOf(after);
        return {std::min(from, to), y, std::max(kMinStep, std::abs(to - from)), thickness};
    }

    const WaterfallLayout& m_layout;
    const WaterfallBar& m_bar;
    BarBand m_band;
};

} // namespace

bool isTotal(const WaterfallBar& bar)
{
    return bar.kind == WaterfallBar::Kind::start || bar.kind == WaterfallBar::Kind::end;
}

WaterfallLayout waterfallLayout(const WaterfallChart& chart,
                                const QRectF& area,
                                const ChartStyle& style)
{
    const double line = style.lineHeight(kSmallTextSize);
    const bool showNote =
        !chart.note.empty() && area.height() >= kLinesWithNote * style.lineHeight();
    const double height = area.height() - line - (showNote ? line + kNoteGap : 0.0);
    BelowBars below = legendBelow(chart, {area.width(), height}, style);
    const double rowSpace = height - below.height;
    const double min = minBarRow(style);
    WaterfallLayout layout;
    layout.chart = chart.withSteps(std::max(fittingRows(rowSpace, min), kMinRows) - 2);
    const double row = std::clamp(rowSpace / static_cast<double>(layout.chart.bars.size()),
                                  min,
                                  kHighestStep * style.textPixels);
    static_cast<BarRows&>(layout) = barRows(
        waterfallTexts(layout.chart),
        area.topLeft(),
        area.width(),
        row,
        [&layout](int ticks) { return layout.chart.axis(ticks); },
        style);
    for (std::size_t i = 0; i < layout.rows.size(); ++i) {
        layout.rows[i].pieces = {RowBars(layout, i).bar()};
        layout.rows[i].ghosts = RowBars(layout, i).ghosts();
    }
    below.translate(area.left(), layout.ticks.bottom());
    layout.legend = std::move(below.legend);
    if (showNote) {
        const double top = layout.ticks.bottom() + below.height + kNoteGap;
        layout.note = QRectF(area.left(), top, area.width(), line);
    }
    return layout;
}

} // namespace flopsmith::ui
