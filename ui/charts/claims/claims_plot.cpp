// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/claims/claims_plot.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace flopsmith::ui {
namespace {

constexpr double kCorner = 2.0; ///< radius of a band's corners
constexpr double kSpare = 4.0; ///< margin of the plot for the smallest band at its end

QColor blended(const QColor& over, const QColor& ground, double share)
{
    const auto mix = [share](double a, double b) { return share * a + (1.0 - share) * b; };
    return QColor::fromRgbF(static_cast<float>(mix(over.redF(), ground.redF())),
                            static_cast<float>(mix(over.greenF(), ground.greenF())),
                            static_cast<float>(mix(over.blueF(), ground.blueF())));
}

// The upper edge of a band, or with `sign` -1 the lower one, from left to right with its corners.
QList<QPointF> roundedEdge(const QRectF& band, double sign)
{
    constexpr int kSteps = 4;
    const double radius = std::min({kCorner, band.width() / 2, band.height() / 2});
    const double level = band.center().y() - sign * (band.height() / 2 - radius);
    QList<QPointF> edge;
    for (int i = 0; i <= kSteps; ++i) {
        const double angle = 0.5 * std::numbers::pi * i / kSteps;
        edge.append({band.left() + radius * (1.0 - std::cos(angle)),
                     level - sign * radius * std::sin(angle)});
    }
    for (int i = kSteps; i >= 0; --i) {
        const double angle = 0.5 * std::numbers::pi * i / kSteps;
        edge.append({band.right() - radius * (1.0 - std::cos(angle)),
                     level - sign * radius * std::sin(angle)});
    }
    return edge;
}

// The same of an arrow: the range has no upper end.
QList<QPointF> arrowEdge(const QRectF& band, double sign)
{
    const double tip = std::min(0.5 * band.height(), 0.5 * band.width());
    const double y = sign > 0.0 ? band.top() : band.bottom();
    return {{band.left(), y}, {band.right() - tip, y}, {band.right(), band.center().y()}};
}

/// Puts places on the paper into the linear axes of one plot over all groups.
class ClaimsPlotter
{
public:
    ClaimsPlotter(PlottedPicture& picture,
                  const ClaimsChart& chart,
                  const ClaimsLayout& layout,
                  const ChartStyle& style)
        : m_picture(picture)
        , m_chart(chart)
        , m_layout(layout)
        , m_theme(style.theme)
    {}

    void plot()
    {
        for (const ClaimsLayout::Group& group : m_layout.groups) {
            m_picture.area |= group.plot.adjusted(-kSpare, 0.0, kSpare, 0.0);
        }
        m_picture.plot.x.high = std::max(1.0, m_picture.area.width());
        m_picture.plot.y.high = std::max(1.0, m_picture.area.height());
        PlotPoints counted{.size = 2.0 * m_layout.markRadius,
                           .outline = QPen(m_theme.panel, 1.0),
                           .fill = m_theme.accent};
        PlotPoints measured{.mark = PlotMark::diamond, .outline = QPen(m_theme.text, 1.6)};
        measured.size = 2.0 * kClaimDiamondReach * m_layout.markRadius;
        for (const ClaimsLayout::Group& group : m_layout.groups) {
            for (const ClaimsLayout::Row& row : group.rows) {
                addBand(row);
                if (row.counted) {
                    counted.points.append(placed(*row.counted));
                }
                if (row.measured) {
                    measured.points.append(placed(*row.measured));
                }
            }
        }
        m_picture.plot.points = {counted, measured};
    }

private:
    QPointF placed(QPointF place) const
    {
        return {place.x() - m_picture.area.left(), m_picture.area.bottom() - place.y()};
    }

    QList<QPointF> placed(QList<QPointF> places) const
    {
        for (QPointF& place : places) {
            place = placed(place);
        }
        return places;
    }

    void addBand(const ClaimsLayout::Row& row)
    {
        const auto edge = row.isOpen ? arrowEdge : roundedEdge;
        const QColor ink = lineColour(*m_chart.claim(row.claim).component, m_theme);
        m_picture.plot.bands.push_back({.upper = placed(edge(row.band, 1.0)),
                                        .lower = placed(edge(row.band, -1.0)),
                                        .fill = claimBandFill(ink, m_theme)});
    }

    PlottedPicture& m_picture;
    const ClaimsChart& m_chart;
    const ClaimsLayout& m_layout;
    const Theme& m_theme;
};

} // namespace

QColor claimBandFill(const QColor& ink, const Theme& theme)
{
    return blended(ink, theme.panel, theme.dark ? 0.38 : 0.27);
}

void plotClaims(PlottedPicture& picture,
                const ClaimsChart& chart,
                const ClaimsLayout& layout,
                const ChartStyle& style)
{
    ClaimsPlotter(picture, chart, layout, style).plot();
}

} // namespace flopsmith::ui
