// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/scaling/scaling_painter.h"

#include "ui/charts/base/axis_ticks.h"
#include "ui/charts/scaling/scaling_points.h"

#include <algorithm>
#include <utility>

namespace flopsmith::ui {
namespace {

constexpr double kTickTextSize = 0.9;
constexpr double kTickGap = 6.0; ///< so that the first label stays clear of the one of the y axis

QPen samplePen(const ScalingCurve& curve, const Theme& theme)
{
    QPen pen(curveColour(curve, theme), 2.2, Qt::SolidLine, Qt::FlatCap);
    if (const QList<qreal> pattern = dashes(curve.dash); !pattern.isEmpty()) {
        pen.setDashPattern(pattern);
    }
    return pen;
}

// Whether the present value is inside the axis.
bool hasMarkerLine(const ScalingChart& chart, const ScalingLayout& layout)
{
    if (!chart.marker) {
        return false;
    }
    const double x = layout.at({chart.marker->x, chart.marker->y}).x();
    return x >= layout.plot.left() - 0.5 && x <= layout.plot.right() + 0.5;
}

/// Draws grid, labels and legend: everything but the plot.
class ScalingPainter
{
public:
    ScalingPainter(Drawing& drawing,
                   const ScalingChart& chart,
                   const ScalingLayout& layout,
                   const ChartStyle& style)
        : m_drawing(drawing)
        , m_chart(chart)
        , m_layout(layout)
        , m_style(style)
        , m_theme(style.theme)
    {}

    void paint()
    {
        addTitles();
        drawXTicks(m_drawing, m_drawing, ticks(), m_layout.xAxis, m_style);
        drawYTicks(m_drawing, m_drawing, ticks(), m_layout.yAxis, m_style);
        addMarkerText();
        addLegend();
        addMeasuredTicks();
        addCaption();
    }

private:
    TickPlaces ticks() const { return {m_layout.plot, kTickTextSize, kTickGap}; }

    void addTitles()
    {
        m_drawing.write(
            m_layout.yTitle, toQt(m_chart.yTitle), m_style.font(0.92), m_theme.mutedText);
        m_drawing.write(m_layout.xTitle,
                        toQt(m_chart.xTitle),
                        m_style.font(0.92),
                        m_theme.mutedText,
                        Qt::AlignCenter);
        QStringList notes;
        for (const std::string& note : m_chart.notes) {
            notes << toQt(note);
        }
        if (!m_layout.notes.isEmpty()) {
            m_drawing.write(m_layout.notes,
                            notes.join(QStringLiteral("; ")),
                            m_style.font(0.85),
                            m_theme.warning);
        }
    }

    // Beside the plot, without lines of a grid of their own.
    void addMeasuredTicks()
    {
        if (m_layout.measuredTitle.isEmpty()) {
            return;
        }
        drawRightTicks(m_drawing, ticks(), m_layout.measuredAxis, m_theme.text, m_style);
        QRectF title = m_layout.measuredTitle;
        addPoint(0, {title.left() + kPointSample / 2, title.center().y()});
        title.setLeft(title.left() + kPointSample + 4.0);
        m_drawing.write(title, toQt(m_chart.measured->title), m_style.font(0.92), m_theme.text);
    }

    void addPoint(std::size_t curve, QPointF centre)
    {
        m_drawing.shapes.push_back(
            {pointShape(curve, centre, 3.6), QPen(m_theme.panel, 1.0), m_theme.text});
    }

    void addCaption()
    {
        for (std::size_t i = 0; i < m_layout.captionLines.size(); ++i) {
            m_drawing.write(m_layout.captionLines[i],
                            m_layout.caption[static_cast<int>(i)],
                            m_style.font(kLegendTextSize),
                            m_theme.text);
        }
    }

    // Above the plot, at the marker if there is space next to the axis' title.
    void addMarkerText()
    {
        if (!hasMarkerLine(m_chart, m_layout)) {
            return;
        }
        const double x = m_layout.at({m_chart.marker->x, m_chart.marker->y}).x();
        const QFont font = m_style.font(0.92, QFont::DemiBold);
        const QString text = toQt(m_chart.marker->text);
        const double width = textWidth(font, text);
        const double titleEnd =
            m_layout.yTitle.left() + textWidth(m_style.font(0.92), toQt(m_chart.yTitle)) + 12.0;
        const double right = m_layout.yTitle.right();
        if (right - titleEnd < width) {
            return;
        }
        const double left = std::clamp(x - width / 2, titleEnd, right - width);
        m_drawing.write({left, m_layout.yTitle.top(), width, m_layout.yTitle.height()},
                        text,
                        font,
                        m_theme.accent,
                        Qt::AlignCenter);
    }

    void addLegend()
    {
        for (std::size_t i = 0; i < m_layout.legend.size(); ++i) {
            const ScalingLayout::LegendEntry& entry = m_layout.legend[i];
            const double y = entry.rect.center().y();
            m_drawing.line({entry.rect.left(), y},
                           {entry.rect.left() + kLineSample, y},
                           samplePen(m_chart.curves[i], m_theme));
            if (entry.hasPoints) {
                addPoint(i, {entry.rect.left() + kLineSample / 2, y});
            }
            QRectF rest = entry.rect.adjusted(kLineSample + 7.0, 0, 0, 0);
            const QFont font = m_style.font(kLegendTextSize, QFont::Medium);
            m_drawing.write(rest, entry.title, font, m_theme.text);
            rest.setLeft(rest.left() + textWidth(font, entry.title) + 7.0);
            const QFont small = m_style.font(kLegendTextSize);
            m_drawing.write(rest, entry.slope, small, m_theme.mutedText);
            if (!entry.measured.isEmpty()) {
                rest.setLeft(rest.left() + textWidth(small, entry.slope) + 7.0);
                addPoint(i, {rest.left() + kPointSample / 2 - 2.0, y});
                rest.setLeft(rest.left() + kPointSample);
                m_drawing.write(rest, entry.measured, small, m_theme.text);
            }
        }
    }

    Drawing& m_drawing;
    const ScalingChart& m_chart;
    const ScalingLayout& m_layout;
    const ChartStyle& m_style;
    const Theme& m_theme;
};

/// Collects the layers that Qt Charts draws.
class ScalingPlotter
{
public:
    ScalingPlotter(const ScalingChart& chart, const ScalingLayout& layout, const ChartStyle& style)
        : m_chart(chart)
        , m_layout(layout)
        , m_theme(style.theme)
        , m_content{.x = plotAxis(layout.xAxis), .y = plotAxis(layout.yAxis)}
    {}

    PlotContent content()
    {
        addCrossover();
        if (hasMarkerLine(m_chart, m_layout)) {
            addUpright(inside(m_chart.marker->x), m_theme.accent, 1.4, {2.2, 2.2});
        }
        for (std::size_t i = m_chart.curves.size(); i-- > 0;) { // the first curve last: on top
            addCurve(m_chart.curves[i]);
        }
        if (m_chart.marker) {
            m_content.points.push_back({.points = {{m_chart.marker->x, m_chart.marker->y}},
                                        .mark = PlotMark::disc,
                                        .size = 10.0,
                                        .outline = QPen(m_theme.panel, 1.5),
                                        .fill = m_theme.accent});
        }
        addMeasuredPoints(m_content, m_chart, m_layout, m_theme);
        return std::move(m_content);
    }

private:
    // The place where a curve falls below another, and its uncertainty.
    void addCrossover()
    {
        if (!m_chart.measured || !m_chart.measured->crossover) {
            return;
        }
        const ScalingCrossover& found = *m_chart.measured->crossover;
        const double low = inside(found.low);
        const double pixel = 1.0 / m_layout.plot.width();
        const double high = std::max(low + pixel, inside(found.high));
        QColor fill = m_theme.text;
        fill.setAlpha(26);
        m_content.bands.push_back({.upper = {at(low, 1.0), at(high, 1.0)},
                                   .lower = {at(low, 0.0), at(high, 0.0)},
                                   .fill = fill});
        addUpright(inside(found.x), m_theme.text, 1.2, {});
    }

    // Share of the axis' length.
    double inside(double x) const { return std::clamp(m_layout.xAxis.share(x), 0.0, 1.0); }

    // The values at shares of the axes' lengths.
    QPointF at(double x, double y) const
    {
        return {m_layout.xAxis.valueAt(x), m_layout.yAxis.valueAt(y)};
    }

    void addUpright(double x, const QColor& colour, double width, const QList<qreal>& dashes)
    {
        m_content.lines.push_back({.points = {at(x, 1.0), at(x, 0.0)},
                                   .colour = colour,
                                   .width = width,
                                   .dashes = dashes});
    }

    void addCurve(const ScalingCurve& curve)
    {
        PlotLine line{.colour = curveColour(curve, m_theme), .dashes = dashes(curve.dash)};
        line.width = curve.dash == Dash::solid ? 2.6 : 2.0;
        for (const ScalingPoint& point : curve.points) {
            line.points.append({point.x, point.y});
        }
        m_content.lines.push_back(std::move(line));
    }

    const ScalingChart& m_chart;
    const ScalingLayout& m_layout;
    const Theme& m_theme;
    PlotContent m_content;
};

} // namespace

QList<qreal> dashes(Dash dash)
{
    switch (dash) {
    case Dash::solid: return {};
    case Dash::dashed: return {4.0, 2.2};
    case Dash::dotted: return {1.0, 1.8};
    case Dash::dashDotted: return {6.0, 2.0, 1.2, 2.0};
    }
    return {};
}

QColor curveColour(const ScalingCurve& curve, const Theme& theme)
{
    return curve.component != nullptr ? lineColour(*curve.component, theme) : theme.accent;
}

void drawScaling(Drawing& drawing,
                 const ScalingChart& chart,
                 const ScalingLayout& layout,
                 const ChartStyle& style)
{
    ScalingPainter(drawing, chart, layout, style).paint();
}

PlotContent scalingPlot(const ScalingChart& chart,
                        const ScalingLayout& layout,
                        const ChartStyle& style)
{
    return ScalingPlotter(chart, layout, style).content();
}

} // namespace flopsmith::ui
