// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/roofline/roofline_painter.h"

#include "core/base/text.h"
#include "ui/charts/base/axis_ticks.h"
#include "ui/charts/roofline/roofline_plot.h"
#include "ui/charts/roofline/roofline_texts.h"

namespace flopsmith::ui {
namespace {

QPainterPath circleAt(QPointF centre, double radius)
{
    QPainterPath path;
    path.addEllipse(centre, radius, radius);
    return path;
}

// About as large as a circle of that radius.
QPainterPath diamondAt(QPointF centre, double radius)
{
    const double reach = kDiamondReach * radius;
    QPainterPath path(centre + QPointF(0.0, -reach));
    path.lineTo(centre + QPointF(reach, 0.0));
    path.lineTo(centre + QPointF(0.0, reach));
    path.lineTo(centre + QPointF(-reach, 0.0));
    path.closeSubpath();
    return path;
}

/// Draws the grid below the plot, and texts and samples above it.
class RooflinePainter
{
public:
    RooflinePainter(Drawing& below,
                    Drawing& above,
                    const RooflineChart& chart,
                    const RooflineLayout& layout,
                    const ChartStyle& style)
        : m_grid(below)
        , m_drawing(above)
        , m_chart(chart)
        , m_layout(layout)
        , m_style(style)
        , m_theme(style.theme)
    {}

    void paint()
    {
        addTitles();
        const TickPlaces ticks{.plot = m_layout.plot};
        drawXTicks(m_grid, m_drawing, ticks, m_layout.xAxis, m_style);
        drawYTicks(m_grid, m_drawing, ticks, m_layout.yAxis, m_style);
        addTexts();
        addRanks();
        drawFlowLegend(m_drawing, m_layout.legend, m_style);
        addKey();
        for (const PlacedLine& note : m_layout.notes) {
            m_drawing.write(note.rect, note.text, m_style.font(kSmallTextSize), m_theme.mutedText);
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
            m_layout.yTitle, toQt(m_chart.yTitle), m_style.font(kSmallTextSize), m_theme.mutedText);
        m_drawing.write(m_layout.xTitle,
                        toQt(m_chart.xTitle),
                        m_style.font(kSmallTextSize),
                        m_theme.mutedText,
                        Qt::AlignCenter);
    }

    bool isMeasured() const { return m_chart.roofOrigin == Origin::measured; }
    QColor roofInk() const { return isMeasured() ? m_theme.text : m_theme.accent; }

    // Beside a title, as the plot shows it.
    void addDot(const RooflinePoint& point, const RooflineLayout::Dot& dot)
    {
        if (point.origin == Origin::measured) {
            m_drawing.shapes.push_back({diamondAt(dot.centre, dot.radius),
                                        QPen(m_theme.text, 1.0),
                                        colour(*point.component)});
            return;
        }
        m_drawing.shapes.push_back({circleAt(dot.centre, dot.radius - kRingInset),
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
                            m_style.font(kSmallTextSize),
                            isRoof ? roofInk() : m_theme.mutedText);
        }
        for (const RooflineLayout::Ceiling& ceiling : m_layout.ceilings) {
            m_drawing.write(ceiling.text.rect,
                            ceiling.text.text,
                            m_style.font(kSmallTextSize),
                            m_theme.mutedText);
        }
        for (const RooflineLayout::Text& text : m_layout.marks) {
            if (!text.leader.isNull()) {
                m_drawing.line(text.leader.p1(), text.leader.p2(), QPen(m_theme.mutedText, 0.8));
            }
            m_drawing.write(text.rect, text.text, m_style.font(kSmallTextSize), m_theme.text);
        }
    }

    void addRanks()
    {
        const QFont font = m_style.font(kSmallTextSize);
        const auto right = Qt::AlignRight | Qt::AlignVCenter;
        if (!m_layout.ranks.empty()) {
            m_drawing.write(m_layout.rankTitle,
                            rooflineShareTitle(m_chart.ranked),
                            font,
                            m_theme.mutedText,
                            right);
        }
        for (const RooflineLayout::Rank& rank : m_layout.ranks) {
            const RooflinePoint& point = m_chart.points[rank.point];
            m_drawing.write(rank.number, rank.text, font, m_theme.text, right);
            addDot(point, {rank.ring, 4.4});
            m_drawing.write(rank.title, toQt(point.title), font, m_theme.text);
            m_drawing.write(rank.share,
                            toQt(percentText(point.share.value_or(0.0))),
                            font,
                            m_theme.mutedText,
                            right);
        }
    }

    void addKey()
    {
        const QFont font = m_style.font(kSmallTextSize);
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

    Drawing& m_grid;
    Drawing& m_drawing;
    const RooflineChart& m_chart;
    const RooflineLayout& m_layout;
    const ChartStyle& m_style;
    const Theme& m_theme;
};

} // namespace

void drawRoofline(PlottedPicture& picture,
                  const RooflineChart& chart,
                  const RooflineLayout& layout,
                  const ChartStyle& style)
{
    RooflinePainter(picture.below, picture.above, chart, layout, style).paint();
}

} // namespace flopsmith::ui
