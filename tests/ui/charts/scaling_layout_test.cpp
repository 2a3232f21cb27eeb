// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/charts/samples.h"
#include "ui/charts/scaling/scaling_figure.h"
#include "ui/charts/scaling/scaling_painter.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith::ui {
namespace {

TEST(ScalingChartLayout, PutsValuesWhereTheAxesSay)
{
    const auto figure = figureOf(requestOf(ChartId::scaling));
    const auto& chart = dynamic_cast<const ScalingFigure&>(*figure).chart();

    const ScalingLayout layout = scalingLayout(chart, QRectF(0, 0, 400, 330), {});

    EXPECT_NEAR(layout.at({1024, 1e11}).x(), layout.plot.center().x(), 1e-6); // 128 … 8192
    EXPECT_EQ(layout.xAxis.ticks.front().label, "128");
    EXPECT_EQ(layout.xAxis.ticks.back().label, "8k");
    for (const ScalingCurve& curve : chart.curves) {
        for (const ScalingPoint& point : curve.points) {
            EXPECT_TRUE(layout.plot.adjusted(-0.01, -0.01, 0.01, 0.01).contains(layout.at(point)));
        }
    }
}

TEST(ScalingChartLayout, MeasuredPointsHaveAnAxisAndNoCurvesColour)
{
    FigureRequest request = requestOf(ChartId::scaling);
    request.curves = curvesOf(request.scenario);
    const auto figure = figureOf(request);
    const auto& chart = dynamic_cast<const ScalingFigure&>(*figure).chart();
    ASSERT_TRUE(chart.measured && !chart.measured->empty());
    for (const QRectF area : {QRectF(0, 0, 370, 300), QRectF(0, 0, 900, 560)}) {
        const ScalingLayout layout = scalingLayout(chart, area, {});

        EXPECT_FALSE(layout.measuredTitle.isEmpty());
        EXPECT_GE(layout.measuredAxis.ticks.size(), 2U);
        EXPECT_LT(layout.plot.right(), area.right() - 14.0); // labels stand there
        for (const MeasuredScalingCurve& curve : chart.measured->curves) {
            for (const MeasuredScalingPoint& point : curve.points) {
                const QPointF at = layout.at({point.x, point.value * chart.measured->factor});
                EXPECT_TRUE(layout.plot.adjusted(-0.01, -0.01, 0.01, 0.01).contains(at));
            }
        }
        QStringList texts;
        for (const Label& label : figure->drawing(area, {}).labels) {
            texts << label.text;
            EXPECT_TRUE(area.adjusted(-0.5, -0.5, 0.5, 0.5).contains(label.rect))
                << qPrintable(label.text);
        }
        EXPECT_TRUE(texts.contains(QStringLiteral("measured time")));
    }
    for (const Theme& theme : {lightTheme(), darkTheme()}) {
        for (const ScalingCurve& curve : chart.curves) {
            EXPECT_NE(curveColour(curve, theme), theme.text);
        }
    }
}

TEST(ScalingChartLayout, TheCrossoverIsSaidInWordsThatFit)
{
    FigureRequest request = requestOf(ChartId::scaling);
    request.curves = curvesOf(request.scenario);
    const auto figure = figureOf(request);
    const auto& chart = dynamic_cast<const ScalingFigure&>(*figure).chart();
    ASSERT_FALSE(chart.measured->caption.empty());

    const ScalingLayout layout = scalingLayout(chart, QRectF(0, 0, 900, 560), {});

    EXPECT_EQ(layout.caption.join(QLatin1Char(' ')).toStdString(), chart.measured->caption);
    EXPECT_TRUE(figure->summary().contains(QString::fromStdString(chart.measured->caption)));
}

// The card of a window of 1280 × 720, and the next larger ones.
TEST(ScalingChartLayout, ALowCardNamesMeasuredCurvesInOneRowAndSaysTheirSlopesBelow)
{
    FigureRequest request = requestOf(ChartId::scaling);
    request.curves = curvesOf(request.scenario);
    const auto figure = figureOf(request);
    const auto& chart = dynamic_cast<const ScalingFigure&>(*figure).chart();
    const ChartStyle style;
    for (const double height : {216.0, 240.0, 280.0}) {
        const QRectF area(0, 0, 384, height);
        const ScalingLayout layout = scalingLayout(chart, area, style);

        ASSERT_EQ(layout.legend.size(), chart.curves.size());
        double end = 0.0;
        for (const ScalingLayout::LegendEntry& entry : layout.legend) {
            EXPECT_EQ(entry.rect.top(), layout.legend.front().rect.top());
            EXPECT_GE(entry.rect.left(), end);
            EXPECT_LE(entry.rect.right(), area.right() + 0.5);
            EXPECT_TRUE(entry.hasPoints);
            EXPECT_TRUE(entry.slope.isEmpty() && entry.measured.isEmpty());
            EXPECT_FALSE(entry.title.contains(QChar(0x2026))) << qPrintable(entry.title);
            end = entry.rect.right();
        }
        ASSERT_EQ(layout.caption.size(), 1);
        EXPECT_LE(textWidth(style.font(kLegendTextSize), layout.caption.front()), area.width());
        EXPECT_GE(layout.plot.height(), 0.35 * height);
    }
    ScalingChart plain = chart;
    plain.measured->caption.clear();
    plain.measured->briefCaption.clear();
    const ScalingLayout low = scalingLayout(plain, QRectF(0, 0, 384, 240), style);
    EXPECT_TRUE(low.caption.join(QString()).startsWith(QLatin1String("slopes measured ")));
    const ScalingLayout roomy = scalingLayout(chart, QRectF(0, 0, 900, 560), style);
    for (const ScalingLayout::LegendEntry& entry : roomy.legend) {
        EXPECT_FALSE(entry.slope.isEmpty() || entry.measured.isEmpty());
    }
}

TEST(ScalingChartLayout, ThePointerFindsTheNearestPlace)
{
    const auto figure = figureOf(requestOf(ChartId::scaling));
    const auto& chart = dynamic_cast<const ScalingFigure&>(*figure).chart();
    const QRectF area(0, 0, 400, 330);
    const ScalingLayout layout = scalingLayout(chart, area, {});
    const std::vector<Hotspot> hotspots = figure->hotspots(area, {});
    const double y = layout.plot.center().y();

    for (std::size_t i = 0; i < hotspots.size(); ++i) {
        EXPECT_EQ(figure->hotspotAt({hotspots[i].anchor.x() + 1.0, y}, area, {}),
                  static_cast<int>(i));
    }
    EXPECT_EQ(hotspots.front().lines.size(), chart.curves.size());
    EXPECT_EQ(figure->hotspotAt({5.0, y}, area, {}), -1);
}

} // namespace
} // namespace flopsmith::ui
