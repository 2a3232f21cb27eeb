// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/roofline_points.h"
#include "ui/charts/figure.h"
#include "ui/charts/flow_legend.h"

#include <QLineF>
#include <QPointF>
#include <QRectF>

#include <vector>

namespace flopsmith::ui {

/// Where the parts of a roofline chart stand, and its axes as they fit there.
struct RooflineLayout
{
    struct Dot
    {
        QPointF centre{};
        double radius = 0.0; ///< grows with the root of its share of the time
    };

    /// A text with a place of its own, and the line that leads to its dot if it is not beside it.
    struct Text
    {
        QRectF rect{};
        QString text{};
        QLineF leader{}; ///< null: none
        int point = -1; ///< of a dot's title
    };

    QRectF plot{};
    QRectF bound{}; ///< the sentence above the plot
    QRectF yTitle{};
    QRectF xTitle{};
    TickAxis xAxis{};
    TickAxis yAxis{};
    std::vector<QPointF> roof{}; ///< corners from left to right, inside the plot
    QPointF ridgeAt{};
    std::vector<Dot> dots{}; ///< parallel to the chart's points
    Text peak{}; ///< along the flat roof
    Text bandwidth{}; ///< beside the slope
    Text ridge{}; ///< at the foot of the line below the ridge; these three may have no room
    std::vector<Text> titles{}; ///< of points, as many as find a free place
    FlowLegend legend{};
    bool keyShown = false; ///< rings and dots are told apart below the plot
    QRectF key{};
    std::vector<QRectF> notes{};

    QPointF at(const RooflinePlace& place) const;
};

RooflineLayout rooflineLayout(const RooflineChart& chart,
                              const QRectF& area,
                              const ChartStyle& style);

/// The roofs of a device on two logarithmic axes, operations as rings where they must stay below,
/// and measured parts as dots where they were found.
class RooflineFigure : public Figure
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
    PgfPlot plot() const override;
    Drawing drawing(const QRectF& area, const ChartStyle& style) const override;
    std::vector<Spot> spots(const QRectF& area, const ChartStyle& style) const override;
    int spotAt(QPointF place, const QRectF& area, const ChartStyle& style) const override;
    void paintHighlight(QPainter& painter,
                        int spot,
                        const QRectF& area,
                        const ChartStyle& style) const override;

private:
    RooflineChart m_chart;
};

} // namespace flopsmith::ui
