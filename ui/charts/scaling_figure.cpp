// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/scaling_figure.h"

#include "core/base/text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr double kLegendSample = 22.0; ///< length of a legend's line
constexpr double kLegendText = 0.92;

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

QPen samplePen(const ScalingCurve& curve, const Theme& theme)
{
    QPen pen(curveColour(curve, theme), 2.2, Qt::SolidLine, Qt::FlatCap);
    if (const QList<qreal> pattern = dashes(curve.dash); !pattern.isEmpty()) {
        pen.setDashPattern(pattern);
    }
    return pen;
}

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
        const double height = m_style.lineHeight(kLegendText) + 2.0;
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
        const double slope =
            entry.slope.isEmpty() ? 0.0 : 7.0 + textWidth(m_style.font(kLegendText), entry.slope);
        return kLegendSample + 7.0
            + textWidth(m_style.font(kLegendText, QFont::Medium), entry.title) + slope;
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

/// Draws everything but the curves.
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
        addXTicks();
        addYTicks();
        addMarkerLine();
        addLegend();
    }

    void addMarkerDot()
    {
        if (m_chart.marker) {
            QPainterPath dot;
            dot.addEllipse(m_layout.at({m_chart.marker->x, m_chart.marker->y}), 5.0, 5.0);
            m_drawing.shapes.push_back({dot, QPen(m_theme.panel, 1.5), m_theme.accent});
        }
    }

private:
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

    void addXTicks()
    {
        const QRectF& plot = m_layout.plot;
        const TickAxis& axis = m_layout.xAxis;
        const QFont font = m_style.font(0.9);
        for (const Tick& tick : axis.ticks) {
            const double x =
                plot.left() + (tick.position - axis.low) / (axis.high - axis.low) * plot.width();
            m_drawing.line({x, plot.top()}, {x, plot.bottom()}, QPen(m_theme.grid, 1.0));
            const double width = textWidth(font, toQt(tick.label));
            m_drawing.write({x - width / 2, plot.bottom() + 3.0, width, m_style.lineHeight(0.9)},
                            toQt(tick.label),
                            font,
                            m_theme.mutedText,
                            Qt::AlignCenter);
        }
    }

    void addYTicks()
    {
        const QRectF& plot = m_layout.plot;
        const TickAxis& axis = m_layout.yAxis;
        const QFont font = m_style.font(0.9);
        const double height = m_style.lineHeight(0.9);
        for (const Tick& tick : axis.ticks) {
            const double y =
                plot.bottom() - (tick.position - axis.low) / (axis.high - axis.low) * plot.height();
            m_drawing.line({plot.left(), y}, {plot.right(), y}, QPen(m_theme.grid, 1.0));
            const double width = textWidth(font, toQt(tick.label));
            m_drawing.write({plot.left() - 7.0 - width, y - height / 2, width, height},
                            toQt(tick.label),
                            font,
                            m_theme.mutedText,
                            Qt::AlignRight | Qt::AlignVCenter);
        }
    }

    void addMarkerLine()
    {
        if (!m_chart.marker) {
            return;
        }
        const QRectF& plot = m_layout.plot;
        const double x = m_layout.at({m_chart.marker->x, m_chart.marker->y}).x();
        if (x < plot.left() - 0.5 || x > plot.right() + 0.5) {
            return;
        }
        QPen pen(m_theme.accent, 1.4, Qt::CustomDashLine, Qt::FlatCap);
        pen.setDashPattern({2.2, 2.2});
        m_drawing.line({x, plot.top()}, {x, plot.bottom()}, pen);
        addMarkerText(x);
    }

    // Above the plot, at the marker if there is room beside the axis' title.
    void addMarkerText(double x)
    {
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
                           {entry.rect.left() + kLegendSample, y},
                           samplePen(m_chart.curves[i], m_theme));
            QRectF rest = entry.rect.adjusted(kLegendSample + 7.0, 0, 0, 0);
            const QFont font = m_style.font(kLegendText, QFont::Medium);
            m_drawing.write(rest, entry.title, font, m_theme.text);
            rest.setLeft(rest.left() + textWidth(font, entry.title) + 7.0);
            m_drawing.write(rest, entry.slope, m_style.font(kLegendText), m_theme.mutedText);
        }
    }

    Drawing& m_drawing;
    const ScalingChart& m_chart;
    const ScalingLayout& m_layout;
    const ChartStyle& m_style;
    const Theme& m_theme;
};

// The curve's y at x, between neighbouring points as the line is drawn.
std::optional<double> valueAt(const ScalingCurve& curve, const ScalingChart& chart, double x)
{
    const auto next = std::lower_bound(
        curve.points.begin(), curve.points.end(), x, [](const ScalingPoint& point, double wanted) {
            return point.x < wanted;
        });
    if (next == curve.points.end()) {
        return std::nullopt;
    }
    if (next->x == x || next == curve.points.begin()) {
        return next->x == x ? std::optional(next->y) : std::nullopt;
    }
    const ScalingPoint before = *std::prev(next);
    const double from = axisPosition(chart.xScale, before.x);
    const double to = axisPosition(chart.xScale, next->x);
    const double part = (axisPosition(chart.xScale, x) - from) / (to - from);
    const double low = axisPosition(chart.yScale, before.y);
    const double high = axisPosition(chart.yScale, next->y);
    const double position = low + part * (high - low);
    return chart.yScale == AxisScale::log2 ? std::exp2(position) : std::pow(10.0, position);
}

QString valueText(const ScalingChart& chart, double value)
{
    return toQt(chart.yUnit == TickUnit::iecBytes ? bytesText(value) : siText(value));
}

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

ScalingFigure::ScalingFigure(ScalingChart chart, std::shared_ptr<CurvePlot> plot)
    : m_chart(std::move(chart))
    , m_plot(plot ? std::move(plot) : std::make_shared<CurvePlot>())
{}

QString ScalingFigure::title() const
{
    return toQt(m_chart.yTitle) + QStringLiteral(" over ") + toQt(m_chart.xTitle);
}

QString ScalingFigure::summary() const
{
    QStringList parts{title()};
    for (const ScalingCurve& curve : m_chart.curves) {
        parts << toQt(curve.title + (curve.slopeText.empty() ? "" : " " + curve.slopeText));
    }
    if (m_chart.marker) {
        parts << toQt(m_chart.marker->text);
    }
    return emptyText().isEmpty() ? parts.join(QStringLiteral(", ")) : emptyText();
}

QString ScalingFigure::emptyText() const
{
    if (!m_chart.empty()) {
        return {};
    }
    QString reason = m_chart.emptyText.empty() ? QStringLiteral("There is nothing to draw.")
                                               : toQt(m_chart.emptyText);
    if (!m_chart.notes.empty()) {
        reason += QStringLiteral("\n") + toQt(m_chart.notes.front());
    }
    return reason;
}

FigureTable ScalingFigure::table() const
{
    FigureTable table{.header = {QStringLiteral("variant"),
                                 toQt(m_chart.key),
                                 toQt(metric(m_chart.metric).name)}};
    for (const ScalingCurve& curve : m_chart.curves) {
        for (const ScalingPoint& point : curve.points) {
            table.rows.push_back(
                {toQt(curve.title), toQt(numberText(point.x)), toQt(numberText(point.y))});
        }
    }
    return table;
}

Drawing ScalingFigure::drawing(const QRectF& area, const ChartStyle& style) const
{
    const ScalingLayout layout = scalingLayout(m_chart, area, style);
    Drawing drawing;
    ScalingPainter(drawing, m_chart, layout, style).paint();
    return drawing;
}

PlotContent ScalingFigure::plotContent(const ScalingLayout& layout, const ChartStyle& style) const
{
    const TickAxis& x = layout.xAxis;
    const TickAxis& y = layout.yAxis;
    PlotContent content{.range = QRectF(x.low, y.low, x.high - x.low, y.high - y.low)};
    for (auto curve = m_chart.curves.rbegin(); curve != m_chart.curves.rend(); ++curve) {
        PlotLine line{.colour = curveColour(*curve, style.theme), .dashes = dashes(curve->dash)};
        line.width = curve->dash == Dash::solid ? 2.6 : 2.0;
        for (const ScalingPoint& point : curve->points) {
            line.points.append({axisPosition(x.scale, point.x), axisPosition(y.scale, point.y)});
        }
        content.lines.push_back(std::move(line)); // the first curve last: it lies on top
    }
    return content;
}

void ScalingFigure::paintContent(QPainter& painter,
                                 const QRectF& area,
                                 const ChartStyle& style) const
{
    const ScalingLayout layout = scalingLayout(m_chart, area, style);
    Drawing below;
    ScalingPainter(below, m_chart, layout, style).paint();
    below.paint(painter, style);
    m_plot->paint(painter, layout.plot, plotContent(layout, style));
    Drawing above;
    ScalingPainter(above, m_chart, layout, style).addMarkerDot();
    above.paint(painter, style);
}

// All places at which some curve has a point, ascending.
std::vector<double> ScalingFigure::places() const
{
    std::vector<double> places;
    for (const ScalingCurve& curve : m_chart.curves) {
        for (const ScalingPoint& point : curve.points) {
            places.push_back(point.x);
        }
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

std::vector<Spot> ScalingFigure::spots(const QRectF& area, const ChartStyle& style) const
{
    const ScalingLayout layout = scalingLayout(m_chart, area, style);
    std::vector<Spot> spots;
    for (const double x : places()) {
        Spot spot{.title = toQt(m_chart.xTitle) + QStringLiteral(": ") + toQt(numberText(x))};
        double highest = layout.plot.bottom();
        for (const ScalingCurve& curve : m_chart.curves) {
            if (const auto y = valueAt(curve, m_chart, x)) {
                spot.lines.push_back(
                    {curveColour(curve, style.theme), toQt(curve.title), valueText(m_chart, *y)});
                highest = std::min(highest, layout.at({x, *y}).y());
            }
        }
        spot.anchor = {layout.at({x, 1.0}).x(), highest};
        spots.push_back(std::move(spot));
    }
    return spots;
}

int ScalingFigure::spotAt(QPointF place, const QRectF& area, const ChartStyle& style) const
{
    const ScalingLayout layout = scalingLayout(m_chart, area, style);
    const std::vector<double> all = places();
    if (all.empty() || !layout.plot.adjusted(-6, -6, 6, 6).contains(place)) {
        return -1;
    }
    const double share = (place.x() - layout.plot.left()) / layout.plot.width();
    const double wanted = layout.xAxis.valueAt(share);
    const auto next = std::lower_bound(all.begin(), all.end(), wanted);
    if (next == all.begin()) {
        return 0;
    }
    const auto before = std::prev(next);
    const bool takeNext = next != all.end()
        && layout.xAxis.share(*next) - share < share - layout.xAxis.share(*before);
    return static_cast<int>((takeNext ? next : before) - all.begin());
}

void ScalingFigure::paintHighlight(QPainter& painter,
                                   int spot,
                                   const QRectF& area,
                                   const ChartStyle& style) const
{
    const std::vector<double> all = places();
    if (spot < 0 || spot >= static_cast<int>(all.size())) {
        return;
    }
    const ScalingLayout layout = scalingLayout(m_chart, area, style);
    const double value = all[static_cast<std::size_t>(spot)];
    const double x = layout.at({value, 1.0}).x();
    Drawing drawing;
    drawing.line(
        {x, layout.plot.top()}, {x, layout.plot.bottom()}, QPen(style.theme.mutedText, 1.0));
    for (const ScalingCurve& curve : m_chart.curves) {
        if (const auto y = valueAt(curve, m_chart, value)) {
            QPainterPath dot;
            dot.addEllipse(layout.at({value, *y}), 4.0, 4.0);
            drawing.shapes.push_back(
                {dot, QPen(style.theme.panel, 1.2), curveColour(curve, style.theme)});
        }
    }
    drawing.paint(painter, style);
}

} // namespace flopsmith::ui
