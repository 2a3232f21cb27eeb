// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/lab/lab_layout.h"

#include "ui/charts/base/text_lines.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace flopsmith::ui {
namespace {

/// The smallest and the largest of some values.
struct Span
{
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void include(double value)
    {
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

class LabLayouter
{
public:
    LabLayouter(const LabChart& chart, const QRectF& area, const ChartStyle& style)
        : m_chart(chart)
        , m_area(area)
        , m_style(style)
    {}

    LabLayout layout()
    {
        const double line = m_style.lineHeight();
        const double tick = m_style.lineHeight(0.9);
        const double bottom = placeCaption() - line - tick - 10.0;
        const double top = m_area.top() + (m_chart.yTitle.empty() ? 2.0 : line + 6.0);
        const double height = std::max(20.0, bottom - top);
        chooseAxes(std::max(2, static_cast<int>(height / (tick * 1.8))));
        const double left = m_area.left() + (isBars() ? widestName() + 10.0 : widestTick() + 9.0);
        const double right =
            m_area.right() - (isBars() ? widestValue() + 12.0 : kLabNameGap + 4.0 + widestName());
        m_layout.plot = QRectF(left, top, std::max(40.0, right - left), height);
        chooseXAxis();
        m_layout.yTitle = QRectF(m_area.left(), m_area.top(), m_area.width(), line);
        m_layout.xTitle = QRectF(left, bottom + tick + 8.0, m_layout.plot.width(), line);
        if (isBars()) {
            placeRows();
        } else {
            placeNames();
        }
        return std::move(m_layout);
    }

private:
    bool isBars() const { return m_chart.kind == LabChartKind::bars; }
    QFont nameFont() const { return m_style.font(kRowTextSize, QFont::Medium); }

    // The top of the caption. It takes at most a seventh of the area; its last line is elided if
    // the text is longer. A low chart has none.
    double placeCaption()
    {
        const auto maxLines = static_cast<int>(m_area.height() / (7.0 * m_style.lineHeight()));
        if (maxLines < 2) {
            return m_area.bottom();
        }
        const QFont font = m_style.font(kSmallTextSize);
        m_layout.caption = clauseLines(
            toQt(m_chart.caption), QStringLiteral("\n"), font, m_area.width(), maxLines);
        const double height = m_style.lineHeight(kSmallTextSize);
        const double top = m_area.bottom() - height * static_cast<double>(m_layout.caption.size());
        for (int i = 0; i < m_layout.caption.size(); ++i) {
            m_layout.captionLines.emplace_back(
                m_area.left(), top + i * height, m_area.width(), height);
        }
        return top - 4.0;
    }

    void chooseAxes(int maxTicks)
    {
        Span ys;
        for (const LabSeries& series : m_chart.series) {
            for (const LabChartPoint& point : series.points) {
                m_xs.include(isBars() ? point.low : point.x);
                m_xs.include(isBars() ? point.high : point.x);
                ys.include(isBars() ? point.y : point.low);
                ys.include(isBars() ? point.y : point.high);
            }
        }
        for (const ReferenceScore& reference : m_chart.references) {
            (isBars() ? m_xs : ys).include(reference.value);
        }
        if (isBars()) {
            m_layout.yAxis = {.low = 0.0, .high = 1.0};
        } else {
            m_layout.yAxis = tickAxis(AxisScale::linear, ys.low, ys.high, maxTicks);
        }
    }

    // Uses as many ticks as possible without touching labels.
    void chooseXAxis()
    {
        const AxisScale scale = m_chart.isLogX ? AxisScale::log10 : AxisScale::linear;
        const RangeEnds ends = isBars() ? RangeEnds::grow : RangeEnds::keep;
        int maxTicks = 10;
        do {
            m_layout.xAxis = tickAxis(scale, m_xs.low, m_xs.high, maxTicks, TickUnit::si, ends);
        } while (labelsTouch() && --maxTicks >= 2);
    }

    bool labelsTouch() const
    {
        const QFont font = m_style.font(0.9);
        double end = -1e9;
        for (const Tick& tick : m_layout.xAxis.ticks) {
            const double half = textWidth(font, toQt(tick.label)) / 2;
            const double centre = m_layout.xOf(tick.value);
            if (centre - half < end + 8.0) {
                return true;
            }
            end = centre + half;
        }
        return false;
    }

    double widestTick() const
    {
        double widest = 0.0;
        for (const Tick& tick : m_layout.yAxis.ticks) {
            widest = std::max(widest, textWidth(m_style.font(0.9), toQt(tick.label)));
        }
        return widest;
    }

    double widestName() const
    {
        double widest = 0.0;
        for (const LabSeries& series : m_chart.series) {
            widest = std::max(widest, textWidth(nameFont(), toQt(series.name)));
        }
        for (const ReferenceScore& reference : m_chart.references) {
            const double width = textWidth(m_style.font(kSmallTextSize), toQt(reference.name));
            widest = std::max(widest, isBars() ? 0.0 : width);
        }
        return std::min(widest, m_area.width() / 3);
    }

    double widestValue() const
    {
        double widest = 0.0;
        for (const LabSeries& series : m_chart.series) {
            widest = std::max(widest, textWidth(nameFont(), toQt(series.text)));
        }
        return widest;
    }

    void placeRows()
    {
        const QRectF& plot = m_layout.plot;
        const double height = plot.height() / static_cast<double>(m_chart.series.size());
        for (std::size_t i = 0; i < m_chart.series.size(); ++i) {
            const double top = plot.top() + height * static_cast<double>(i);
            m_layout.names.push_back(
                {.rect = {m_area.left(), top, plot.left() - m_area.left() - 10.0, height},
                 .y = top + height / 2});
            m_layout.values.emplace_back(
                plot.right() + 12.0, top, m_area.right() - plot.right() - 12.0, height);
        }
    }

    // Beside the ends of their curves, moved apart where they would touch.
    void placeNames()
    {
        const QRectF& plot = m_layout.plot;
        const double height = m_style.lineHeight(kRowTextSize);
        for (const LabSeries& series : m_chart.series) {
            const double y = m_layout.yOf(series.points.back().y);
            m_layout.names.push_back({.rect = {plot.right() + kLabNameGap,
                                               y - height / 2,
                                               m_area.right() - plot.right() - kLabNameGap,
                                               height},
                                      .y = y});
        }
        std::vector<std::size_t> order(m_chart.series.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
            return m_layout.names[a].y < m_layout.names[b].y;
        });
        double end = m_area.top();
        for (const std::size_t i : order) { // from the top downwards
            QRectF& rect = m_layout.names[i].rect;
            rect.moveTop(std::max(rect.top(), end));
            end = rect.bottom();
        }
        // Not next to the numbers of the horizontal axis, if there is space above them.
        const double needed = m_area.top() + height * static_cast<double>(order.size());
        double limit = std::max(plot.bottom(), needed);
        for (auto i = order.rbegin(); i != order.rend(); ++i) { // and back up from the bottom
            QRectF& rect = m_layout.names[*i].rect;
            rect.moveBottom(std::min(rect.bottom(), limit));
            limit = rect.top();
        }
    }

    const LabChart& m_chart;
    QRectF m_area;
    const ChartStyle& m_style;
    Span m_xs;
    LabLayout m_layout;
};

} // namespace

LabLayout labLayout(const LabChart& chart, const QRectF& area, const ChartStyle& style)
{
    return LabLayouter(chart, area, style).layout();
}

} // namespace flopsmith::ui
