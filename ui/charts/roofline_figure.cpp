// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/roofline_figure.h"

#include "core/base/text.h"
#include "ui/charts/roofline_texts.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr double kTickSize = 0.85;

QString originName(Origin origin)
{
    return origin == Origin::computed ? QStringLiteral("computed") : QStringLiteral("measured");
}

QPainterPath circleAt(QPointF centre, double radius)
{
    QPainterPath path;
    path.addEllipse(centre, radius, radius);
    return path;
}

// About as large as a circle of that radius.
QPainterPath diamondAt(QPointF centre, double radius)
{
    const double reach = 1.25 * radius;
    QPainterPath path(centre + QPointF(0.0, -reach));
    path.lineTo(centre + QPointF(reach, 0.0));
    path.lineTo(centre + QPointF(0.0, reach));
    path.lineTo(centre + QPointF(-reach, 0.0));
    path.closeSubpath();
    return path;
}

// Of measured roofs; those of a data sheet are solid.
QPen dashedPen(const QColor& colour, double width)
{
    QPen pen(colour, width, Qt::CustomDashLine, Qt::FlatCap);
    pen.setDashPattern({5.0, 3.0});
    return pen;
}

/// Draws grid, roofs, dots and texts, in this order from below.
class RooflinePainter
{
public:
    RooflinePainter(Drawing& drawing,
                    const RooflineChart& chart,
                    const RooflineLayout& layout,
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
        addRoof();
        for (std::size_t i = 0; i < m_layout.dots.size(); ++i) {
            addDot(m_chart.points[i], m_layout.dots[i]);
        }
        addTexts();
        addRanks();
        drawFlowLegend(m_drawing, m_layout.legend, m_style);
        addKey();
        for (const PlacedLine& note : m_layout.notes) {
            m_drawing.write(note.rect, note.text, m_style.font(kTickSize), m_theme.mutedText);
        }
    }

private:
    void addTitles()
    {
        m_drawing.write(m_layout.bound,
                        toQt(m_chart.boundText),
                        m_style.font(0.92, QFont::DemiBold),
                        m_theme.text);
        m_drawing.write(
            m_layout.yTitle, toQt(m_chart.yTitle), m_style.font(kTickSize), m_theme.mutedText);
        m_drawing.write(m_layout.xTitle,
                        toQt(m_chart.xTitle),
                        m_style.font(kTickSize),
                        m_theme.mutedText,
                        Qt::AlignCenter);
    }

    void addXTicks()
    {
        const QRectF& plot = m_layout.plot;
        const QFont font = m_style.font(kTickSize);
        for (const Tick& tick : m_layout.xAxis.ticks) {
            const double x = m_layout.at({tick.value, 1.0}).x();
            const double width = textWidth(font, toQt(tick.label));
            m_drawing.line({x, plot.top()}, {x, plot.bottom()}, QPen(m_theme.grid, 1.0));
            m_drawing.write(
                {x - width / 2, plot.bottom() + 3.0, width, m_style.lineHeight(kTickSize)},
                toQt(tick.label),
                font,
                m_theme.mutedText,
                Qt::AlignCenter);
        }
    }

    void addYTicks()
    {
        const QRectF& plot = m_layout.plot;
        const QFont font = m_style.font(kTickSize);
        const double height = m_style.lineHeight(kTickSize);
        for (const Tick& tick : m_layout.yAxis.ticks) {
            const double y = m_layout.at({1.0, tick.value}).y();
            const double width = textWidth(font, toQt(tick.label));
            m_drawing.line({plot.left(), y}, {plot.right(), y}, QPen(m_theme.grid, 1.0));
            m_drawing.write({plot.left() - 7.0 - width, y - height / 2, width, height},
                            toQt(tick.label),
                            font,
                            m_theme.mutedText,
                            Qt::AlignRight | Qt::AlignVCenter);
        }
    }

    void addRoof()
    {
        QPen foot(m_theme.mutedText, 1.0, Qt::CustomDashLine, Qt::FlatCap);
        foot.setDashPattern({2.5, 2.5});
        const QPointF ridge = m_layout.ridgeAt;
        m_drawing.line(ridge, {ridge.x(), m_layout.plot.bottom()}, foot);
        QPainterPath roof;
        for (std::size_t i = 0; i < m_layout.roof.size(); ++i) {
            i == 0 ? roof.moveTo(m_layout.roof[i]) : roof.lineTo(m_layout.roof[i]);
        }
        const QPen pen = isMeasured()
            ? dashedPen(m_theme.text, 2.0)
            : QPen(m_theme.accent, 2.2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
        for (const RooflineLayout::Ceiling& ceiling : m_layout.ceilings) {
            if (!ceiling.line.isNull()) {
                m_drawing.line(
                    ceiling.line.p1(), ceiling.line.p2(), dashedPen(m_theme.mutedText, 1.2));
            }
        }
        m_drawing.shapes.push_back({roof, pen, Qt::NoBrush});
    }

    bool isMeasured() const { return m_chart.roofOrigin == Origin::measured; }
    QColor roofInk() const { return isMeasured() ? m_theme.text : m_theme.accent; }

    // Computed is an open ring, measured a filled diamond.
    void addDot(const RooflinePoint& point, const RooflineLayout::Dot& dot)
    {
        if (point.origin == Origin::measured) {
            m_drawing.shapes.push_back({diamondAt(dot.centre, dot.radius),
                                        QPen(m_theme.text, 1.0),
                                        colour(*point.component)});
            return;
        }
        m_drawing.shapes.push_back({circleAt(dot.centre, dot.radius - 0.9),
                                    QPen(lineColour(*point.component, m_theme), 2.0),
                                    m_theme.panel});
    }

    void addTexts()
    {
        for (const RooflineLayout::Text* text :
             {&m_layout.peak, &m_layout.bandwidth, &m_layout.ridge}) {
            const bool isRoof = text != &m_layout.ridge;
            m_drawing.write(text->rect,
                            text->text,
                            m_style.font(kTickSize),
                            isRoof ? roofInk() : m_theme.mutedText);
        }
        for (const RooflineLayout::Ceiling& ceiling : m_layout.ceilings) {
            m_drawing.write(
                ceiling.text.rect, ceiling.text.text, m_style.font(kTickSize), m_theme.mutedText);
        }
        for (const RooflineLayout::Text& text : m_layout.marks) {
            if (!text.leader.isNull()) {
                m_drawing.line(text.leader.p1(), text.leader.p2(), QPen(m_theme.mutedText, 0.8));
            }
            m_drawing.write(text.rect, text.text, m_style.font(kTickSize), m_theme.text);
        }
    }

    void addRanks()
    {
        const QFont font = m_style.font(kTickSize);
        const auto right = Qt::AlignRight | Qt::AlignVCenter;
        if (!m_layout.ranks.empty()) {
            m_drawing.write(
                m_layout.rankTitle, Charts::tr("of the time"), font, m_theme.mutedText, right);
        }
        for (const RooflineLayout::Rank& rank : m_layout.ranks) {
            const RooflinePoint& point = m_chart.points[rank.point];
            m_drawing.write(rank.number, rank.text, font, m_theme.text, right);
            addDot(point, {rank.ring, 4.4});
            m_drawing.write(rank.title, toQt(point.title), font, m_theme.text);
            m_drawing.write(
                rank.share, toQt(percentText(point.share)), font, m_theme.mutedText, right);
        }
    }

    void addKey()
    {
        const QFont font = m_style.font(kTickSize);
        for (const bool measured : {false, true}) {
            const QRectF& place = m_layout.key[measured ? 1 : 0];
            if (place.isEmpty()) {
                continue;
            }
            const QPointF centre(place.left() + 5.0, place.center().y());
            m_drawing.shapes.push_back(
                {measured ? diamondAt(centre, 4.0) : circleAt(centre, 4.0),
                 QPen(m_theme.mutedText, measured ? 0.0 : 1.6),
                 measured ? QBrush(m_theme.mutedText) : QBrush(Qt::NoBrush)});
            m_drawing.write(place.adjusted(kRooflineKeySign, 0, 0, 0),
                            rooflineKeyTexts()[measured ? 1 : 0],
                            font,
                            m_theme.mutedText);
        }
    }

    Drawing& m_drawing;
    const RooflineChart& m_chart;
    const RooflineLayout& m_layout;
    const ChartStyle& m_style;
    const Theme& m_theme;
};

Spot spotOf(const RooflinePoint& point, const RooflineLayout::Dot& dot)
{
    const bool computed = point.origin == Origin::computed;
    Spot spot{.title = toQt(point.title)};
    spot.lines = {{colour(*point.component),
                   computed ? Charts::tr("at least") : Charts::tr("measured"),
                   toQt(durationText(point.seconds))},
                  {{},
                   computed ? Charts::tr("of the lower bound") : Charts::tr("of the time"),
                   toQt(percentText(point.share))},
                  {{}, Charts::tr("FLOPs per byte"), toQt(siText(point.at.intensity))},
                  {{}, Charts::tr("FLOP/s"), toQt(siText(point.at.flopsPerSecond))},
                  {{}, Charts::tr("bound by"), toQt(enumName(point.binding))}};
    spot.anchor = dot.centre;
    const double reach = dot.radius + 2.0;
    spot.keepClear = QRectF(dot.centre.x() - reach, dot.centre.y() - reach, 2 * reach, 2 * reach);
    return spot;
}

} // namespace

QString RooflineFigure::title() const
{
    return toQt(m_chart.title);
}

QString RooflineFigure::summary() const
{
    if (!emptyText().isEmpty()) {
        return emptyText();
    }
    QStringList parts{toQt(m_chart.boundText)};
    for (const RooflinePoint& point : m_chart.points) {
        if (point.labelled) {
            parts << toQt(point.title + " " + percentText(point.share));
        }
    }
    return title() + QStringLiteral(": ") + parts.join(QStringLiteral(", "));
}

QString RooflineFigure::emptyText() const
{
    return m_chart.empty() ? toQt(m_chart.emptyText) : QString();
}

FigureTable RooflineFigure::table() const
{
    FigureTable table;
    for (const char* name : {"operation",
                             "component",
                             "origin",
                             "flops_per_byte",
                             "flops_per_second",
                             "seconds",
                             "share",
                             "bound_by"}) {
        table.header << QLatin1String(name);
    }
    for (const RooflinePoint& point : m_chart.points) {
        table.rows.push_back({toQt(point.title),
                              toQt(point.component->id),
                              originName(point.origin),
                              toQt(numberText(point.at.intensity)),
                              toQt(numberText(point.at.flopsPerSecond)),
                              toQt(numberText(point.seconds)),
                              toQt(numberText(point.share)),
                              toQt(enumName(point.binding))});
    }
    return table;
}

PgfPlot RooflineFigure::plot() const
{
    PgfPlot plot{.x = {.label = m_chart.xTitle, .logBase = 10},
                 .y = {.label = m_chart.yTitle, .logBase = 10}};
    if (m_chart.empty()) {
        return plot;
    }
    PgfSeries roof{.name = m_chart.peakText + ", " + m_chart.bandwidthText};
    for (const RooflinePlace& corner : m_chart.roof(m_chart.xAxis(8))) {
        roof.points.push_back({corner.intensity, corner.flopsPerSecond});
    }
    if (m_chart.roofOrigin == Origin::measured) {
        roof.dash = PgfSeries::Dash::dashed;
    }
    plot.series = {roof};
    for (const RooflineCeiling& ceiling : m_chart.ceilings) {
        PgfSeries line{
            .name = ceiling.text + ", measured", .rgb = 0x666666, .dash = PgfSeries::Dash::dashed};
        for (const RooflinePlace& end : m_chart.line(ceiling, m_chart.xAxis(8))) {
            line.points.push_back({end.intensity, end.flopsPerSecond});
        }
        if (!line.points.empty()) {
            plot.series.push_back(std::move(line));
        }
    }
    for (const RooflinePoint& point : m_chart.points) {
        const bool computed = point.origin == Origin::computed;
        const auto kind = computed ? PgfSeries::Kind::openMarks : PgfSeries::Kind::marks;
        const std::string name =
            std::string(point.component->title) + (computed ? "" : ", measured");
        auto series = std::find_if(plot.series.begin(), plot.series.end(), [&](const auto& each) {
            return each.kind == kind && each.name == name;
        });
        if (series == plot.series.end()) {
            plot.series.push_back({.kind = kind, .name = name, .rgb = point.component->rgb});
            series = std::prev(plot.series.end());
        }
        series->points.push_back({point.at.intensity, point.at.flopsPerSecond});
    }
    return plot;
}

Drawing RooflineFigure::contentDrawing(const QRectF& area, const ChartStyle& style) const
{
    Drawing drawing;
    RooflinePainter(drawing, m_chart, rooflineLayout(m_chart, area, style), style).paint();
    return drawing;
}

std::vector<Spot> RooflineFigure::contentSpots(const QRectF& area, const ChartStyle& style) const
{
    std::vector<Spot> spots;
    const RooflineLayout layout = rooflineLayout(m_chart, area, style);
    for (std::size_t i = 0; i < layout.dots.size(); ++i) {
        spots.push_back(spotOf(m_chart.points[i], layout.dots[i]));
    }
    return spots;
}

// The nearest centre, as dots lie over one another.
int RooflineFigure::contentSpotAt(QPointF place, const QRectF& area, const ChartStyle& style) const
{
    constexpr double kReach = 4.0; // beyond the edge
    const RooflineLayout layout = rooflineLayout(m_chart, area, style);
    int nearest = -1;
    double least = 1e9;
    for (std::size_t i = 0; i < layout.dots.size(); ++i) {
        const QPointF way = place - layout.dots[i].centre;
        const double distance = std::hypot(way.x(), way.y());
        if (distance <= layout.dots[i].radius + kReach && distance < least) {
            nearest = static_cast<int>(i);
            least = distance;
        }
    }
    return nearest;
}

Drawing RooflineFigure::highlight(int spot, const QRectF& area, const ChartStyle& style) const
{
    const QRectF around = contentSpots(area, style).at(static_cast<std::size_t>(spot)).keepClear;
    Drawing drawing;
    drawing.outline(
        around.adjusted(-1, -1, 1, 1), around.width() / 2 + 1, QPen(style.theme.accent, 1.4));
    return drawing;
}

} // namespace flopsmith::ui
