// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/scaling_layout.h"

#include <algorithm>

namespace flopsmith::ui {
namespace {

/// Finds the places of a scaling chart's parts.
class ScalingLayouter
{
public:
    ScalingLayouter(const ScalingChart& chart, const QRectF& area, const ChartStyle& style)
        : m_chart(chart)
        , m_area(area)
        , m_style(style)
    {}

    ScalingLayout layout()
    {
        const double line = m_style.lineHeight();
        const double tick = m_style.lineHeight(0.9);
        double bottom = m_area.bottom();
        bottom = placeNotes(bottom);
        bottom = placeLegend(bottom);
        const double plotBottom = bottom - tick - 4.0 - line;
        const double plotTop = m_area.top() + line + 8.0;
        const double height = std::max(20.0, plotBottom - plotTop);

        m_layout.yAxis = m_chart.yAxis(std::max(2, static_cast<int>(height / (tick * 1.7))));
        const double labels = widestYLabel();
        const double left = m_area.left() + labels + 8.0;
        const double right = m_area.right() - 14.0; // half of the last tick's label
        m_layout.plot = QRectF(left, plotTop, std::max(20.0, right - left), height);
        chooseXAxis();
        m_layout.yTitle = QRectF(m_area.left(), m_area.top(), m_area.width(), line);
        m_layout.xTitle = QRectF(left, plotBottom + tick + 4.0, right - left, line);
        return std::move(m_layout);
    }

private:
    double placeNotes(double bottom)
    {
        if (m_chart.notes.empty() || m_area.height() < 14.0 * m_style.lineHeight()) {
            return bottom;
        }
        const double height = m_style.lineHeight(0.85);
        m_layout.notes = QRectF(m_area.left(), bottom - height, m_area.width(), height);
        return bottom - height - 2.0;
    }

    // As many entries in a row as fit; the slope gives way where even one does not.
    double placeLegend(double bottom)
    {
        const double height = m_style.lineHeight(kLegendTextSize) + 2.0;
        double x = m_area.left();
        double y = 0.0;
        const double gap = 20.0;
        for (const ScalingCurve& curve : m_chart.curves) {
            ScalingLayout::LegendEntry entry{.title = toQt(curve.title),
                                             .slope = toQt(curve.slopeText)};
            double width = entryWidth(entry);
            if (width > m_area.width()) {
                entry.slope.clear();
                width = std::min(entryWidth(entry), m_area.width());
            }
            if (x > m_area.left() && x + width > m_area.right()) {
                x = m_area.left();
                y += height;
            }
            entry.rect = QRectF(x, y, width, height);
            x += width + gap;
            m_layout.legend.push_back(std::move(entry));
        }
        const double used = m_layout.legend.empty() ? 0.0 : y + height;
        for (ScalingLayout::LegendEntry& entry : m_layout.legend) {
            entry.rect.translate(0, bottom - used);
        }
        return bottom - used - (used > 0.0 ? 6.0 : 0.0);
    }

    double entryWidth(const ScalingLayout::LegendEntry& entry) const
    {
        const double slope = entry.slope.isEmpty()
            ? 0.0
            : 7.0 + textWidth(m_style.font(kLegendTextSize), entry.slope);
        return kLineSample + 7.0
            + textWidth(m_style.font(kLegendTextSize, QFont::Medium), entry.title) + slope;
    }

    double widestYLabel() const
    {
        double widest = 0.0;
        for (const Tick& tick : m_layout.yAxis.ticks) {
            widest = std::max(widest, textWidth(m_style.font(0.9), toQt(tick.label)));
        }
        return widest;
    }

    // The most ticks whose labels keep a distance.
    void chooseXAxis()
    {
        int most = 14;
        do {
            m_layout.xAxis = m_chart.xAxis(most);
        } while (xLabelsTouch() && --most >= 2);
    }

    bool xLabelsTouch() const
    {
        const QFont font = m_style.font(0.9);
        double end = -1e9;
        for (const Tick& tick : m_layout.xAxis.ticks) {
            const double centre = xOf(tick);
            const double half = textWidth(font, toQt(tick.label)) / 2;
            if (centre - half < end + 8.0) {
                return true;
            }
            end = centre + half;
        }
        return false;
    }

    double xOf(const Tick& tick) const
    {
        const TickAxis& axis = m_layout.xAxis;
        return m_layout.plot.left()
            + (tick.position - axis.low) / (axis.high - axis.low) * m_layout.plot.width();
    }

    const ScalingChart& m_chart;
    QRectF m_area;
    const ChartStyle& m_style;
    ScalingLayout m_layout;
};

} // namespace

QPointF ScalingLayout::at(const ScalingPoint& point) const
{
    return {plot.left() + xAxis.share(point.x) * plot.width(),
            plot.bottom() - yAxis.share(point.y) * plot.height()};
}

ScalingLayout scalingLayout(const ScalingChart& chart, const QRectF& area, const ChartStyle& style)
{
    return ScalingLayouter(chart, area, style).layout();
}

} // namespace flopsmith::ui
