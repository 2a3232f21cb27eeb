// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/roofline/roofline_texts.h"

namespace flopsmith::ui {
namespace {

class RoofTexts
{
public:
    RoofTexts(const RooflineChart& chart,
              const ChartStyle& style,
              LabelPlaces& places,
              RooflineLayout& layout)
        : m_chart(chart)
        , m_style(style)
        , m_places(places)
        , m_layout(layout)
    {}

    void place()
    {
        placeRoofTexts();
        placeCeilingTexts();
    }

private:
    QSizeF sizeOf(const QString& text) const { return rooflineTextSize(text, m_style); }

    // Along the flat roof, above it first, from the right; then left of the ridge, over the slope.
    void placePeakText()
    {
        const QPointF ridge = m_layout.ridgeAt;
        const QString text = toQt(m_chart.peakText);
        const QSizeF size = sizeOf(text);
        const double maxX = m_layout.plot.right() - 4.0 - size.width();
        const double minX = ridge.x() + 6.0;
        std::vector<QPointF> corners;
        for (const double away : {4.0, 10.0, 16.0}) {
            for (const double part : {1.0, 0.5, 0.0}) {
                const double x = minX + part * (maxX - minX);
                corners.push_back({x, ridge.y() - size.height() - away});
                corners.push_back({x, ridge.y() + away});
            }
        }
        for (const double above : {0.5, 1.0, 1.4}) {
            corners.push_back({ridge.x() - size.width() - 6.0, ridge.y() - above * size.height()});
        }
        take(m_layout.peak, text, corners);
    }

    // Names of the roofs: above the flat one, left of the slope, and at the foot of the ridge.
    void placeRoofTexts()
    {
        if (m_layout.roof.size() < 3) {
            return; // the axis always shows both roofs; see RooflineChart::xAxis
        }
        const QPointF ridge = m_layout.ridgeAt;
        const QRectF& plot = m_layout.plot;
        m_places.block(QLineF(ridge, {ridge.x(), plot.bottom()}));
        placePeakText();
        const QString bandwidth = toQt(m_chart.bandwidthText);
        const QSizeF size = sizeOf(bandwidth);
        std::vector<QPointF> corners;
        for (const double part : {0.5, 0.6, 0.4, 0.7, 0.3, 0.8, 0.9, 0.2}) {
            const QPointF on = m_layout.roof[0] + part * (ridge - m_layout.roof[0]);
            corners.push_back({on.x() - size.width() - 8.0, on.y() - size.height()});
            corners.push_back({on.x() - size.width() - 12.0, on.y() - size.height() - 8.0});
        }
        take(m_layout.bandwidth, bandwidth, corners);
        const QString foot = toQt(m_chart.ridgeText);
        const double y = plot.bottom() - sizeOf(foot).height() - 4.0;
        take(m_layout.ridge,
             foot,
             {{ridge.x() + 5.0, y}, {ridge.x() - 5.0 - sizeOf(foot).width(), y}});
    }

    // Above a flat roof from the right; left of a slope from its top.
    void placeCeilingTexts()
    {
        for (std::size_t i = 0; i < m_layout.ceilings.size(); ++i) {
            const QLineF& line = m_layout.ceilings[i].line;
            const QString text = toQt(m_chart.ceilings[i].text);
            const QSizeF size = sizeOf(text);
            if (line.isNull()) {
                continue;
            }
            std::vector<QPointF> corners;
            for (const double part : {0.95, 0.85, 0.75, 0.65, 0.55, 0.45, 0.35, 0.25, 0.15}) {
                const QPointF on = line.pointAt(part);
                if (m_chart.ceilings[i].kind == RooflineCeiling::Kind::product) {
                    corners.push_back({on.x() - size.width(), on.y() - size.height() - 4.0});
                    corners.push_back({on.x() - size.width(), on.y() + 4.0});
                } else {
                    corners.push_back({on.x() - size.width() - 8.0, on.y() - size.height() - 2.0});
                    corners.push_back({on.x() + 8.0, on.y() + 1.0});
                }
            }
            take(m_layout.ceilings[i].text, text, corners);
        }
    }

    void take(RooflineLayout::Text& text,
              const QString& wanted,
              const std::vector<QPointF>& corners) const
    {
        for (const QPointF& corner : corners) {
            const QRectF rect(corner, sizeOf(wanted));
            if (m_places.isFree(rect)) {
                m_places.block(rect);
                text = {.rect = rect, .text = wanted};
                return;
            }
        }
    }

    const RooflineChart& m_chart;
    const ChartStyle& m_style;
    LabelPlaces& m_places;
    RooflineLayout& m_layout;
};

} // namespace

QString rooflineShareTitle(Origin origin)
{
    return origin == Origin::computed ? Charts::tr("of the lower bound")
                                      : Charts::tr("of the measured time");
}

std::array<QString, 2> rooflineKeyTexts()
{
    return {Charts::tr("the least time that the roofs allow"), Charts::tr("measured")};
}

QSizeF rooflineTextSize(const QString& text, const ChartStyle& style)
{
    return {textWidth(style.font(kRooflineTextSize), text),
            style.lineHeight(kRooflineTextSize) - 2.0};
}

void placeRoofTexts(const RooflineChart& chart,
                    const ChartStyle& style,
                    LabelPlaces& places,
                    RooflineLayout& layout)
{
    RoofTexts(chart, style, places, layout).place();
}

} // namespace flopsmith::ui
