// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/roofline/roofline_points.h"
#include "ui/charts/base/figure_request.h"
#include "ui/charts/base/flow_legend.h"
#include "ui/charts/base/plotted_figure.h"
#include "ui/charts/base/text_lines.h"

#include <QLineF>
#include <QPointF>
#include <QRectF>

#include <array>
#include <vector>

namespace flopsmith::ui {

/// The positions of the parts of a roofline chart, and its axes as they fit there.
struct RooflineLayout
{
    struct Dot
    {
        QPointF centre{};
        double radius = 0.0; ///< grows with the root of its share; the smallest without one
    };

    /// A text with its place, and the line that leads to its dot if it is further away.
    struct Text
    {
        QRectF rect{};
        QString text{};
        QLineF leader{}; ///< null: no line
    };

    /// One of the longest operations in the list next to the plot.
    struct Rank
    {
        std::size_t point = 0;
        QString text{}; ///< "1", which is also written at its dot
        QRectF number{};
        QPointF ring{};
        QRectF title{};
        QRectF share{};
    };

    QRectF plot{};
    QRectF bound{}; ///< the sentence above the plot
    QRectF yTitle{};
    QRectF xTitle{};
    TickAxis xAxis{};
    TickAxis yAxis{};
    /// A further measured roof.
    struct Ceiling
    {
        QLineF line{};
        Text text{}; ///< empty where there is no space
    };

    std::vector<Ceiling> ceilings{}; ///< parallel to the chart's; a null line has no place
    std::vector<QPointF> roof{}; ///< corners from left to right, inside the plot
    QPointF ridgeAt{};
    std::vector<Dot> dots{}; ///< parallel to the chart's points
    Text peak{}; ///< along the flat roof
    Text bandwidth{}; ///< next to the slope
    Text ridge{}; ///< at the foot of the line below the ridge; these three may have no space
    std::vector<Rank> ranks{}; ///< empty if there is no space next to the plot
    QRectF rankTitle{}; ///< above the list: the total of their shares
    std::vector<Text> marks{}; ///< numbers of ranks at their dots; without ranks titles, as many
    ///< as find a free place
    FlowLegend legend{};
    /// Tell rings and diamonds apart: in one line below the plot, or below the list; empty without
    /// space.
    std::array<QRectF, 2> key{};
    std::vector<PlacedLine> notes{}; ///< each read in full, or as far as its last whole figure

    QPointF at(const RooflinePlace& place) const;
};

RooflineLayout rooflineLayout(const RooflineChart& chart,
                              const QRectF& area,
                              const ChartStyle& style);

/// The roofs of a device on two logarithmic axes, operations as rings on their upper bounds, and
/// measured parts as filled diamonds. Roofs of a data sheet are solid in the accent's colour,
/// measured ones dashed in the text's.
class RooflineFigure : public PlottedFigure
{
public:
    explicit RooflineFigure(RooflineChart chart)
        : m_chart(std::move(chart))
    {}

    const RooflineChart& content() const { return m_chart; }

    QString title() const override;
    QString summary() const override;
    QString emptyText() const override;
    FigureTable table() const override;
    ChartTable shownTable() const override;
    PgfPlot plot() const override;
    TickMeaning tickMeaning(const AxisTick& tick) const override;
    std::optional<FigureKind> kindOf(int hotspot) const override;

protected:
    PlottedPicture picture(const QRectF& area, const ChartStyle& style) const override;
    std::vector<Hotspot> contentHotspots(const QRectF& area,
                                         const ChartStyle& style) const override;
    std::vector<ChartPlace> contentPlaces(const QRectF& area,
                                          const ChartStyle& style) const override;
    int contentHotspotAt(QPointF place, const QRectF& area, const ChartStyle& style) const override;
    Drawing highlight(int hotspot, const QRectF& area, const ChartStyle& style) const override;

private:
    RooflineChart m_chart;
};

/// The operations of the request's scenario under the roofs of its hardware, which it must have.
FigureResult rooflineFigure(const FigureRequest& request);

} // namespace flopsmith::ui
