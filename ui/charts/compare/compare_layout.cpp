// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/compare/compare_figure.h"

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr double kBarShare = 0.6; ///< of its row's height
constexpr double kThickestBar = 90.0; ///< pixels

BarChartTexts comparisonTexts(const ComparisonChart& chart)
{
    BarChartTexts texts{.note = toQt(chart.note)};
    for (const ComparisonBar& bar : chart.bars) {
        texts.rows.push_back({toQt(bar.title), toQt(bar.text), toQt(bar.ratioText)});
    }
    for (const ComparisonLegendEntry& entry : chart.legend) {
        texts.legend.push_back(
            {entry.component, toQt(entry.component->title), {}, toDouble(entry.count)});
    }
    return texts;
}

// End to end. A bar that would be too short to be seen is as long as the shortest that is.
std::vector<BarPiece> piecesOf(const ComparisonBar& bar,
                               const ComparisonChart& chart,
                               const BarRows& bars,
                               const QRectF& row)
{
    const BarBand band = barBand(row, std::clamp(kBarShare * row.height(), 5.0, kThickestBar), 0);
    const double left = bars.plot.left();
    const double width = bars.xOf(toDouble(bar.count)) - left;
    const double stretch = width > 0.0 ? std::max(1.0, kMinBar / width) : 1.0;
    std::vector<BarPiece> pieces;
    for (const ComparisonSegment& segment : bar.segments) {
        const double from = left + stretch * (bars.xOf(segment.start) - left);
        const double to = left + stretch * (bars.xOf(segment.end) - left);
        pieces.push_back({segment.component,
                          segment.count,
                          QRectF(from, band.top, to - from, band.thickness),
                          hatchUse(*segment.component, chart.legend)});
    }
    return pieces;
}

} // namespace

BarChartLayout compareLayout(const ComparisonChart& chart,
                             const QRectF& area,
                             const ChartStyle& style)
{
    BarChartLayout layout = barChartLayout(
        comparisonTexts(chart),
        area,
        area.height(),
        [&chart](int ticks) { return chart.axis(ticks); },
        style);
    for (std::size_t i = 0; i < layout.rows.size(); ++i) {
        layout.rows[i].pieces = piecesOf(chart.bars[i], chart, layout, layout.rows[i].rect);
    }
    return layout;
}

} // namespace flopsmith::ui
