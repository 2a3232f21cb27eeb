// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/variation/axis_text.h"
#include "tests/ui/charts/readable.h"
#include "tests/ui/charts/samples.h"
#include "ui/charts/heat/heat_figure.h"
#include "ui/charts/heat/heat_layout.h"
#include "ui/charts/heat/heat_painter.h"
#include "ui/charts/pareto/pareto_figure.h"
#include "ui/charts/pareto/pareto_layout.h"

#include <gtest/gtest.h>

#include <algorithm>

// Heat maps and Pareto fronts as figures.
namespace flopsmith::ui {
namespace {

const QRectF kRoomy(0, 0, 700, 420);

FigureRequest requestOver(ChartId kind, const std::vector<const char*>& axes)
{
    FigureRequest request = requestOf(kind, "gpt2");
    for (const char* text : axes) {
        request.axes.push_back(parsedAxis(text, request.scenario, AxisValues::any).value());
    }
    return request;
}

const HeatMap& mapIn(const Figure& figure)
{
    return dynamic_cast<const HeatFigure&>(figure).content();
}

const ParetoChart& frontIn(const Figure& figure)
{
    return dynamic_cast<const ParetoFigure&>(figure).content();
}

TEST(HeatFigure, ReadsWellWhateverItsCells)
{
    const std::vector<std::vector<const char*>> all{
        {"d_model=768,1000,1536", "seq=128..32768:log2"},
        {"phase=prefill,train", "layers=1,100"},
        {"seq=100..5000:step 100", "layers=1..60:step 1"},
        {"layers=12", "seq=1024"},
        {"d_model=96..6144:log2", "vocab=1000,50257,1000000"}};
    for (const std::vector<const char*>& axes : all) {
        for (const MetricId id : {MetricId::flops, MetricId::memoryBytes, MetricId::params}) {
            FigureRequest request = requestOver(ChartId::heat, axes);
            request.metric = id;
            const auto figure = figureOf(request);
            for (const QSize size : {QSize(280, 260), QSize(600, 214), QSize(1280, 720)}) {
                const QRectF area(0.0, 0.0, size.width(), size.height());
                expectReadable(figure->drawing(area, {}), area, axes.front());
            }
        }
    }
}

TEST(HeatFigure, FewCellsShowTheirValuesInReadableInk)
{
    const auto figure =
        figureOf(requestOver(ChartId::heat, {"d_model=384,768,1536", "seq=128..1024:log2"}));
    for (const Theme& theme : {lightTheme(), darkTheme()}) {
        const ChartStyle style{.theme = theme};
        const Drawing drawing = figure->drawing(kRoomy, style);
        const HeatLayout layout = heatLayout(mapIn(*figure), kRoomy, style);
        ASSERT_TRUE(layout.valuesFit);
        for (const HeatCell& cell : mapIn(*figure).cells) {
            const auto label =
                std::find_if(drawing.labels.begin(), drawing.labels.end(), [&](const Label& each) {
                    return each.rect == layout.cell(mapIn(*figure), cell);
                });
            ASSERT_NE(label, drawing.labels.end()) << cell.text;
            EXPECT_EQ(label->text.toStdString(), cell.text);
            EXPECT_GE(contrast(label->colour, heatColour(cell, theme)), 4.5) << cell.text;
        }
    }
    const auto many = figureOf(requestOver(ChartId::heat, {"seq=1..13:step 1", "layers=6,12"}));
    EXPECT_FALSE(heatLayout(mapIn(*many), kRoomy, {}).valuesFit);
}

TEST(HeatFigure, ThePointerFindsEveryCellAndItsDesign)
{
    const auto figure =
        figureOf(requestOver(ChartId::heat, {"d_model=768,1000", "seq=128..1024:log2"}));
    const std::vector<Hotspot> hotspots = figure->hotspots(kRoomy, {});
    const std::vector<HeatCell>& cells = mapIn(*figure).cells;
    ASSERT_EQ(hotspots.size(), cells.size());
    for (std::size_t i = 0; i < hotspots.size(); ++i) {
        const int hotspot = static_cast<int>(i);
        EXPECT_EQ(figure->hotspotAt(hotspots[i].anchor, kRoomy, {}), hotspot);
        const auto design = figure->design(hotspot);
        ASSERT_TRUE(design.has_value());
        EXPECT_EQ(design->title, hotspots[i].title);
        EXPECT_EQ(design->refusal.isEmpty(), cells[i].value.has_value());
        const std::string said = cells[i].value ? cells[i].exactText : cells[i].problem;
        EXPECT_TRUE(hotspots[i].accessibleText().contains(toQt(said))) << said;
    }
    EXPECT_FALSE(figure->design(static_cast<int>(hotspots.size())).has_value());
    EXPECT_FALSE(figure->design(-1).has_value());
}

// A field without a value is neither the scale's lowest colour nor blank.
TEST(HeatFigure, WhatIsNotPossibleIsHatchedAndSaid)
{
    const auto whole = figureOf(requestOver(ChartId::heat, {"d_model=768,1536", "seq=128,256"}));
    const auto holed = figureOf(requestOver(ChartId::heat, {"d_model=768,1000", "seq=128,256"}));
    const auto stripes = [](const Figure& figure) {
        const Drawing drawing = figure.drawing(kRoomy, {});
        return std::count_if(drawing.shapes.begin(), drawing.shapes.end(), [](const Shape& shape) {
            return shape.path.elementCount() > 40 && shape.brush.style() == Qt::NoBrush;
        });
    };
    EXPECT_EQ(stripes(*whole), 0);
    EXPECT_EQ(stripes(*holed), 1);
    EXPECT_TRUE(holed->summary().contains(QLatin1String("2 of 4 combinations")));
    for (const QStringList& row : holed->table().rows) {
        EXPECT_EQ(row.at(2).isEmpty(), row.at(0) == QLatin1String("1000"));
        EXPECT_EQ(row.at(3).isEmpty(), row.at(0) != QLatin1String("1000"));
    }
}

TEST(ParetoFigure, NoNameLiesOverADesignOrAnotherName)
{
    for (const Preset& preset : presets()) {
        const auto figure = figureOf(requestOf(ChartId::pareto, preset.id));
        const ParetoChart& chart = frontIn(*figure);
        for (const QRectF& area : {kRoomy, QRectF(0, 0, 600, 214), QRectF(0, 0, 320, 300)}) {
            const ParetoLayout layout = paretoLayout(chart, area, {});
            for (std::size_t i = 0; i < layout.names.size(); ++i) {
                const QRectF& rect = layout.names[i].rect;
                EXPECT_TRUE(layout.plot.contains(rect)) << preset.id;
                for (std::size_t j = i + 1; j < layout.names.size(); ++j) {
                    EXPECT_FALSE(rect.intersects(layout.names[j].rect)) << preset.id;
                }
                for (const ParetoPoint& point : chart.points) {
                    EXPECT_FALSE(rect.contains(layout.at(point.x, point.y)))
                        << preset.id << ": " << layout.names[i].text.toStdString();
                }
            }
        }
        EXPECT_FALSE(paretoLayout(chart, kRoomy, {}).names.empty()) << preset.id;
    }
}

TEST(ParetoFigure, ThePointerFindsTheDesignThatIsDrawnThere)
{
    const auto figure = figureOf(requestOf(ChartId::pareto));
    const ParetoChart& chart = frontIn(*figure);
    const std::vector<Hotspot> hotspots = figure->hotspots(kRoomy, {});
    ASSERT_EQ(hotspots.size(), chart.points.size());
    for (std::size_t i = 0; i < hotspots.size(); ++i) {
        const int hit = figure->hotspotAt(hotspots[i].anchor, kRoomy, {});
        ASSERT_GE(hit, 0);
        EXPECT_EQ(hotspots[static_cast<std::size_t>(hit)].anchor, hotspots[i].anchor);
        EXPECT_EQ(figure->design(static_cast<int>(i))->values, chart.points[i].at);
    }
    EXPECT_EQ(figure->hotspotAt({1.0, 1.0}, kRoomy, {}), -1);
}

TEST(ParetoFigure, EveryDesignIsDrawnOnceAndTheFrontAsALine)
{
    const auto figure = figureOf(requestOf(ChartId::pareto));
    const ParetoChart& chart = frontIn(*figure);
    const PlotContent plot =
        dynamic_cast<const ParetoFigure&>(*figure).plotted(kRoomy, ChartStyle{});

    ASSERT_EQ(plot.lines.size(), 1U);
    EXPECT_EQ(plot.lines.front().points.size(), static_cast<qsizetype>(chart.steps.size()));
    ASSERT_EQ(plot.points.size(), 3U); // beaten, winners, the present one
    EXPECT_EQ(plot.points[0].points.size() + plot.points[1].points.size(),
              static_cast<qsizetype>(chart.points.size()));
    EXPECT_EQ(plot.points[1].points.size(), static_cast<qsizetype>(chart.front.size()));
    EXPECT_FALSE(plot.points[2].fill.isValid()) << "a ring";
}

} // namespace
} // namespace flopsmith::ui
