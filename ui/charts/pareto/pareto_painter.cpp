// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/pareto/pareto_painter.h"

#include "ui/charts/base/axis_ticks.h"

namespace flopsmith::ui {
namespace {

constexpr int kPale = 110; ///< of 255, how opaque a design is that another beats

class ParetoPainter
{
public:
    ParetoPainter(Drawing& drawing,
                  const ParetoChart& chart,
                  const ParetoLayout& layout,
                  const ChartStyle& style)
        : m_drawing(drawing)
        , m_chart(chart)
        , m_layout(layout)
        , m_style(style)
        , m_theme(style.theme)
        , m_small(style.font(kSmallTextSize))
    {}

    void paint()
    {
        const TickPlaces ticks{.plot = m_layout.plot};
        drawXTicks(m_drawing, m_drawing, ticks, m_layout.xAxis, m_style);
        drawYTicks(m_drawing, m_drawing, ticks, m_layout.yAxis, m_style);
        m_drawing.write(m_layout.yTitle, toQt(m_chart.y.title), m_small, m_theme.mutedText);
        m_drawing.write(
            m_layout.xTitle, toQt(m_chart.x.title), m_small, m_theme.mutedText, Qt::AlignCenter);
        for (const PlacedLine& line : m_layout.caption) {
            m_drawing.write(line.rect, line.text, m_small, m_theme.mutedText);
        }
        for (const ParetoLayout::Name& name : m_layout.names) {
            if (!name.leader.isNull()) {
                m_drawing.line(name.leader.p1(), name.leader.p2(), QPen(m_theme.mutedText, 0.8));
            }
            m_drawing.write(name.rect, name.text, m_small, m_theme.text);
        }
    }

private:
    Drawing& m_drawing;
    const ParetoChart& m_chart;
    const ParetoLayout& m_layout;
    const ChartStyle& m_style;
    const Theme& m_theme;
    QFont m_small;
};

} // namespace

void drawPareto(Drawing& drawing,
                const ParetoChart& chart,
                const ParetoLayout& layout,
                const ChartStyle& style)
{
    ParetoPainter(drawing, chart, layout, style).paint();
}

PlotContent paretoPlot(const ParetoChart& chart,
                       const ParetoLayout& layout,
                       const ChartStyle& style)
{
    const Theme& theme = style.theme;
    QColor pale = theme.mutedText;
    pale.setAlpha(kPale);
    PlotPoints beaten{.size = kBeatenDot, .fill = pale};
    PlotPoints winners{.size = kWinnerDot, .outline = QPen(theme.panel, 1.2), .fill = theme.accent};
    for (const ParetoPoint& point : chart.points) {
        (point.onFront ? winners : beaten).points.append({point.x, point.y});
    }
    PlotLine staircase{.colour = theme.accent, .width = 2.0};
    for (const ParetoPlace& step : chart.steps) {
        staircase.points.append({step.x, step.y});
    }
    PlotContent content{.x = plotAxis(layout.xAxis), .y = plotAxis(layout.yAxis)};
    content.lines.push_back(std::move(staircase));
    content.points.push_back(std::move(beaten));
    content.points.push_back(std::move(winners));
    if (chart.present) {
        content.points.push_back({.points = {{chart.present->x, chart.present->y}},
                                  .size = kPresentRing,
                                  .outline = QPen(theme.text, 2.0)});
    }
    return content;
}

} // namespace flopsmith::ui
