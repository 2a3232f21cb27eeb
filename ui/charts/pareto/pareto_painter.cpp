// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/pareto/pareto_painter.h"

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
        , m_theme(style.theme)
        , m_small(style.font(kSmallTextSize))
        , m_height(style.lineHeight(kSmallTextSize))
    {}

    void paint()
    {
        addXTicks();
        addYTicks();
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
    void addXTicks()
    {
        const QRectF& plot = m_layout.plot;
        for (const Tick& tick : m_layout.xAxis.ticks) {
            const double x = m_layout.at(tick.value, 0.0).x();
            const double width = textWidth(m_small, toQt(tick.label));
            m_drawing.line({x, plot.top()}, {x, plot.bottom()}, QPen(m_theme.grid, 1.0));
            m_drawing.write({x - width / 2, plot.bottom() + 3.0, width, m_height},
                            toQt(tick.label),
                            m_small,
                            m_theme.mutedText,
                            Qt::AlignCenter);
        }
    }

    void addYTicks()
    {
        const QRectF& plot = m_layout.plot;
        for (const Tick& tick : m_layout.yAxis.ticks) {
            const double y = m_layout.at(0.0, tick.value).y();
            const double width = textWidth(m_small, toQt(tick.label));
            m_drawing.line({plot.left(), y}, {plot.right(), y}, QPen(m_theme.grid, 1.0));
            m_drawing.write({plot.left() - 7.0 - width, y - m_height / 2, width, m_height},
                            toQt(tick.label),
                            m_small,
                            m_theme.mutedText,
                            Qt::AlignRight | Qt::AlignVCenter);
        }
    }

    Drawing& m_drawing;
    const ParetoChart& m_chart;
    const ParetoLayout& m_layout;
    const Theme& m_theme;
    QFont m_small;
    double m_height;
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
