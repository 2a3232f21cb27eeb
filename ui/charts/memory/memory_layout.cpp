// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/memory/memory_figure.h"

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr double kHeadingGap = 2.0; ///< below heading and limit
constexpr double kHighestRow = 3.2; ///< to the height of ordinary text

BarChartTexts memoryTexts(const MemoryChart& chart)
{
    BarChartTexts texts{.note = toQt(chart.note)};
    for (const MemoryBar& bar : chart.bars) {
        texts.rows.push_back({toQt(bar.title),
                              toQt(bar.text),
                              toQt(bar.shareText),
                              bar.kind ? QFont::Normal : QFont::DemiBold});
    }
    for (const MemoryLegendEntry& entry : chart.legend) {
        texts.legend.push_back(
            {entry.component, toQt(entry.title), toQt(entry.text), toDouble(entry.bytes)});
    }
    for (const MemoryLegendEntry& other : chart.others) {
        texts.legend.push_back(
            {other.component, toQt(other.title), toQt(other.text), kDesignWeight});
    }
    return texts;
}

// End to end in the order of the model. The bar of everything has a component several times, once
// for each kind: here they become one.
void placePieces(const MemoryBar& bar, const MemoryChart& chart, const BarRows& bars, BarRow& row)
{
    const double usual = std::clamp((bar.kind ? 0.58 : 0.68) * row.rect.height(), 5.0, 20.0);
    const BarBand band = barBand(row.rect, usual, bar.ghosts.size());
    double before = 0.0;
    for (const MemoryLegendEntry& entry : chart.legend) {
        Count bytes = 0;
        for (const MemorySegment& segment : bar.segments) {
            bytes += segment.component->id == entry.component->id ? segment.bytes : Count{0};
        }
        if (bytes > 0) {
            const double from = bars.xOf(before);
            before += toDouble(bytes);
            row.pieces.push_back({entry.component,
                                  bytes,
                                  QRectF(from, band.top, bars.xOf(before) - from, band.thickness),
                                  hatchUse(*entry.component, chart.legend)});
        }
    }
    double y = band.ghostTop;
    for (const MemoryGhost& ghost : bar.ghosts) {
        const double length = bars.xOf(toDouble(ghost.bytes)) - bars.plot.left();
        const double shown = ghost.bytes > 0 ? std::max(length, kMinBar) : 0.0;
        row.ghosts.push_back(
            {ghost.mark, ghost.bytes, QRectF(bars.plot.left(), y, shown, band.ghostThickness)});
        y += band.ghostStep;
    }
}

// Above its line if that is on the axis, else at the right end.
PlacedLine placedLimit(const MemoryLimit& limit,
                       const BarRows& bars,
                       const QRectF& area,
                       double top,
                       const ChartStyle& style)
{
    const bool beyond = limit.bytes > bars.axis.high;
    const QString text = limitText(limit) + (beyond ? QStringLiteral(" \u2192") : QString());
    const double width = std::min(area.width(), textWidth(style.font(kSmallTextSize), text));
    const double x = bars.xOf(std::min(limit.bytes, bars.axis.high));
    const double left = std::clamp(x - width / 2, area.left(), area.right() - width);
    return {QRectF(left, top, width, style.lineHeight(kSmallTextSize)), text};
}

} // namespace

QString limitText(const MemoryLimit& limit)
{
    return limit.exceeded ? Charts::tr("%1: too little").arg(toQt(limit.text)) : toQt(limit.text);
}

MemoryLayout memoryLayout(const MemoryChart& chart, const QRectF& area, const ChartStyle& style)
{
    MemoryLayout layout;
    layout.heading = QRectF(area.topLeft(), QSizeF(area.width(), style.lineHeight(kRowTextSize)));
    const double limit = layout.heading.bottom() + kHeadingGap;
    const double top = limit + (chart.limit ? style.lineHeight(kSmallTextSize) + kHeadingGap : 0.0);
    static_cast<BarChartLayout&>(layout) = barChartLayout(
        memoryTexts(chart),
        QRectF(QPointF(area.left(), top), area.bottomRight()),
        kHighestRow * style.textPixels,
        [&chart](int ticks) { return chart.axis(ticks); },
        style);
    for (std::size_t i = 0; i < layout.rows.size(); ++i) {
        placePieces(chart.bars[i], chart, layout, layout.rows[i]);
    }
    if (chart.limit) {
        layout.limit = placedLimit(*chart.limit, layout, area, limit, style);
    }
    return layout;
}

} // namespace flopsmith::ui
