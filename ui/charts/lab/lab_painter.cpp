// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/lab/lab_painter.h"

#include "ui/charts/base/axis_ticks.h"

#include <QLineF>

#include <array>
#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr double kLabTickTextSize = 0.9;
constexpr double kLabTickGap = 6.0;
constexpr double kNearEnd = 12.0; ///< pixels from the end of the axis
constexpr int kBandAlpha = 38;

// Solid lines for the first chosen arm of a component, another dash for each further one, and short
// dashes for ghosts.
QList<qreal> dashesOf(const LabSeries& series)
{
    static const std::array<QList<qreal>, 4> kDashes{QList<qreal>{},
                                                     QList<qreal>{7.0, 2.0},
                                                     QList<qreal>{6.0, 1.8, 1.4, 1.8},
                                                     QList<qreal>{1.4, 1.6}};
    return series.role == ArmRole::chosen
        ? kDashes.at(static_cast<std::size_t>(series.likeness) % kDashes.size())
        : QList<qreal>{4.0, 2.4};
}

bool isBars(const LabChart& chart)
{
    return chart.kind == LabChartKind::bars;
}

class LabPainter
{
public:
    LabPainter(Drawing& drawing,
               const LabChart& chart,
               const LabLayout& layout,
               const ChartStyle& style)
        : m_drawing(drawing)
        , m_chart(chart)
        , m_layout(layout)
        , m_style(style)
        , m_theme(style.theme)
    {}

    void paint()
    {
        const TickPlaces ticks{m_layout.plot, kLabTickTextSize, kLabTickGap};
        drawXTicks(m_drawing, m_drawing, ticks, m_layout.xAxis, m_style);
        if (isBars(m_chart)) {
            addRows();
        } else {
            drawYTicks(m_drawing, m_drawing, ticks, m_layout.yAxis, m_style);
            addNames();
        }
        addReferences();
        addTitles();
    }

private:
    void addTitles()
    {
        const QFont font = m_style.font(0.92);
        m_drawing.write(m_layout.yTitle, toQt(m_chart.yTitle), font, m_theme.mutedText);
        m_drawing.write(
            m_layout.xTitle, toQt(m_chart.xTitle), font, m_theme.mutedText, Qt::AlignCenter);
        for (std::size_t i = 0; i < m_layout.captionLines.size(); ++i) {
            m_drawing.write(m_layout.captionLines[i],
                            m_layout.caption[static_cast<int>(i)],
                            m_style.font(kSmallTextSize),
                            m_theme.mutedText);
        }
    }

    // A name at each curve's end with a thin line to it, or a sample of a curve that ends earlier.
    void addNames()
    {
        const double right = m_layout.plot.right();
        for (std::size_t i = 0; i < m_chart.series.size(); ++i) {
            const LabSeries& series = m_chart.series[i];
            const LabLayout::Name& name = m_layout.names[i];
            const QColor colour = labColour(series, m_theme);
            const double from = m_layout.xOf(series.points.back().x);
            const double y = name.rect.center().y();
            const bool isBeside = std::abs(y - name.y) < 2.0 * name.rect.height();
            if (from >= right - kNearEnd && isBeside) {
                m_drawing.line(
                    {from + 4.0, name.y}, {right + kLabNameGap - 4.0, y}, QPen(colour, 0.8));
            } else {
                addSample(series, QLineF(right + 4.0, y, right + kLabNameGap - 5.0, y));
            }
            m_drawing.write(name.rect, toQt(series.name), font(series), m_theme.text);
        }
    }

    void addSample(const LabSeries& series, const QLineF& place)
    {
        const QPen pen = labPen(series, m_theme);
        m_drawing.line(place.p1(), place.p2(), pen);
    }

    QFont font(const LabSeries& series) const
    {
        const bool isChosen = series.role == ArmRole::chosen;
        return m_style.font(kRowTextSize, isChosen ? QFont::Medium : QFont::Normal);
    }

    void addRows()
    {
        for (std::size_t i = 0; i < m_chart.series.size(); ++i) {
            const LabSeries& series = m_chart.series[i];
            const LabLayout::Name& name = m_layout.names[i];
            m_drawing.line({m_layout.plot.left(), name.y},
                           {m_layout.plot.right(), name.y},
                           QPen(m_theme.grid, 1.0, Qt::DotLine));
            m_drawing.write(name.rect,
                            toQt(series.name),
                            font(series),
                            m_theme.text,
                            Qt::AlignRight | Qt::AlignVCenter);
            m_drawing.write(m_layout.values[i], toQt(series.text), font(series), m_theme.text);
        }
    }

    // Names of the reference lines, inside the plot: at their right end, or at the foot.
    void addReferences()
    {
        const QFont font = m_style.font(kSmallTextSize);
        const double height = m_style.lineHeight(kSmallTextSize);
        for (const ReferenceScore& reference : m_chart.references) {
            const QString text = toQt(reference.name);
            const double width = textWidth(font, text);
            if (isBars(m_chart)) {
                const double x = m_layout.xOf(reference.value);
                const bool fits = x + 5.0 + width <= m_layout.plot.right();
                m_drawing.write({fits ? x + 5.0 : x - 5.0 - width,
                                 m_layout.plot.bottom() - height,
                                 width,
                                 height},
                                text,
                                font,
                                m_theme.mutedText);
            } else {
                const double y = m_layout.yOf(reference.value);
                m_drawing.write(
                    {m_layout.plot.right() - width - 6.0, y - height - 1.0, width, height},
                    text,
                    font,
                    m_theme.mutedText);
            }
        }
    }

    Drawing& m_drawing;
    const LabChart& m_chart;
    const LabLayout& m_layout;
    const ChartStyle& m_style;
    const Theme& m_theme;
};

class LabPlotter
{
public:
    LabPlotter(const LabChart& chart, const LabLayout& layout, const ChartStyle& style)
        : m_chart(chart)
        , m_layout(layout)
        , m_theme(style.theme)
        , m_content{.x = plotAxis(layout.xAxis), .y = plotAxis(layout.yAxis)}
    {}

    PlotContent content()
    {
        addReferences();
        for (std::size_t i = m_chart.series.size(); i-- > 0;) { // the first one last: on top
            if (isBars(m_chart)) {
                addMean(i);
            } else {
                addCurve(m_chart.series[i]);
            }
        }
        return std::move(m_content);
    }

private:
    void addReferences()
    {
        const TickAxis& x = m_layout.xAxis;
        for (const ReferenceScore& reference : m_chart.references) {
            PlotLine line{.colour = m_theme.mutedText, .width = 1.2, .dashes = {2.0, 3.0}};
            line.points = isBars(m_chart)
                ? QList<QPointF>{{reference.value, 0.0}, {reference.value, 1.0}}
                : QList<QPointF>{{x.valueAt(0.0), reference.value},
                                 {x.valueAt(1.0), reference.value}};
            m_content.lines.push_back(std::move(line));
        }
    }

    void addCurve(const LabSeries& series)
    {
        const bool isGhost = series.role != ArmRole::chosen;
        PlotLine line{.colour = labColour(series, m_theme), .width = isGhost ? 1.6 : 2.6};
        line.dashes = dashesOf(series);
        PlotBand band{.fill = line.colour};
        band.fill.setAlpha(isGhost ? kBandAlpha / 2 : kBandAlpha);
        for (const LabChartPoint& point : series.points) {
            line.points.append({point.x, point.y});
            band.upper.append({point.x, point.high});
            band.lower.append({point.x, point.low});
        }
        if (m_chart.kind != LabChartKind::rates) {
            m_content.bands.push_back(std::move(band));
        } else {
            addRates(series, line.colour);
        }
        m_content.lines.push_back(std::move(line));
    }

    void addRates(const LabSeries& series, const QColor& colour)
    {
        for (std::size_t i = 0; i < series.points.size(); ++i) {
            const bool isBest = series.best == i;
            m_content.points.push_back({.points = {{series.points[i].x, series.points[i].y}},
                                        .size = isBest ? 9.0 : 6.0,
                                        .outline = QPen(colour, 1.4),
                                        .fill = isBest ? colour : m_theme.panel});
        }
    }

    // As shares of the height, like rows.
    void addMean(std::size_t i)
    {
        const LabSeries& series = m_chart.series[i];
        const LabChartPoint& point = series.points.front();
        const QRectF& plot = m_layout.plot;
        const double y = (plot.bottom() - m_layout.names[i].y) / plot.height();
        const QColor colour = labColour(series, m_theme);
        const bool isGhost = series.role != ArmRole::chosen;
        m_content.lines.push_back({.points = {{point.low, y}, {point.high, y}},
                                   .colour = colour,
                                   .width = isGhost ? 1.8 : 2.6,
                                   .dashes = {}});
        m_content.points.push_back({.points = {{point.x, y}},
                                    .size = 9.0,
                                    .outline = QPen(colour, 1.6),
                                    .fill = isGhost ? m_theme.panel : colour});
    }

    const LabChart& m_chart;
    const LabLayout& m_layout;
    const Theme& m_theme;
    PlotContent m_content;
};

} // namespace

QPen labPen(const LabSeries& series, const Theme& theme)
{
    const bool isChosen = series.role == ArmRole::chosen;
    QPen pen(labColour(series, theme), isChosen ? 2.6 : 1.6, Qt::SolidLine, Qt::FlatCap);
    if (!isChosen) {
        pen.setDashPattern({2.2, 1.6});
    } else if (const QList<qreal> dashes = dashesOf(series); !dashes.isEmpty()) {
        pen.setDashPattern(QList<qreal>{dashes[0] / 2.0, 0.8});
    }
    return pen;
}

QColor labColour(const LabSeries& series, const Theme& theme)
{
    if (series.component != nullptr) {
        return lineColour(*series.component, theme);
    }
    return series.name == kNoFfnArm ? theme.mutedText : theme.text;
}

void drawLab(Drawing& drawing,
             const LabChart& chart,
             const LabLayout& layout,
             const ChartStyle& style)
{
    LabPainter(drawing, chart, layout, style).paint();
}

PlotContent labPlot(const LabChart& chart, const LabLayout& layout, const ChartStyle& style)
{
    return LabPlotter(chart, layout, style).content();
}

} // namespace flopsmith::ui
