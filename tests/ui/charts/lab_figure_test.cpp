// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/lab/lab_figure.h"

#include "core/ffn/dense.h"
#include "ui/charts/base/export.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace flopsmith::ui {
namespace {

LabChart crowded(LabChartKind kind)
{
    LabChart chart{.kind = kind,
                   .title = "What is learned",
                   .xTitle = "steps",
                   .yTitle = kind == LabChartKind::bars ? "" : "R²",
                   .references = {{"best linear map", 0.72}},
                   .caption = "lines: medians"};
    for (int i = 0; i < 9; ++i) {
        LabSeries series{.name = "an arm with number " + std::to_string(i),
                         .component = i % 2 == 0 ? info(FfnSpec(DenseFfn{})).component : nullptr,
                         .role = i < 3 ? ArmRole::chosen : ArmRole::control,
                         .text = "0.123 ± 0.004"};
        const double y = 0.5 + 0.001 * i;
        if (kind == LabChartKind::bars) {
            series.points = {{.x = y, .y = double(i), .low = y - 0.1, .high = y + 0.1}};
        } else {
            series.points = {{.x = 1.0, .y = 0.0, .low = 0.0, .high = 0.0},
                             {.x = 500.0, .y = y, .low = y - 0.1, .high = y + 0.1}};
        }
        chart.series.push_back(std::move(series));
    }
    return chart;
}

class LabFigures : public testing::TestWithParam<LabChartKind>
{};

TEST_P(LabFigures, KeepTheirNamesApartAndInside)
{
    for (const QSizeF size : {QSizeF(720, 400), QSizeF(420, 260), QSizeF(1200, 700)}) {
        const QRectF area(QPointF(0, 0), size);
        const LabLayout layout = labLayout(crowded(GetParam()), area, {});
        ASSERT_EQ(layout.names.size(), 9U);
        for (std::size_t i = 0; i < layout.names.size(); ++i) {
            EXPECT_LE(layout.names[i].rect.right(), area.right() + 0.5);
            EXPECT_GE(layout.names[i].rect.left(), area.left() - 0.5);
            for (std::size_t k = 0; k < i; ++k) {
                const QRectF both = layout.names[i].rect.intersected(layout.names[k].rect);
                EXPECT_LT(both.height(), 1.0) << i << " and " << k << " at " << size.width();
            }
        }
        EXPECT_GT(layout.plot.width(), 100.0);
        EXPECT_GT(layout.plot.height(), 50.0);
    }
}

// What is beyond the axis stands at its end.
TEST(LabFigure, LosesNoWordOfItsCaption)
{
    LabChart chart = crowded(LabChartKind::bars);
    chart.caption.clear();
    for (int i = 0; i < 40; ++i) {
        chart.caption += (i == 0 ? "word " : " word ") + std::to_string(i);
    }
    for (const double height : {340.0, 560.0, 800.0}) {
        const LabLayout layout = labLayout(chart, {0, 0, 380, height}, {});
        EXPECT_EQ(layout.caption.join(QLatin1Char(' ')).toStdString(), chart.caption) << height;
        EXPECT_EQ(layout.captionLines.size(), static_cast<std::size_t>(layout.caption.size()));
        EXPECT_LE(layout.captionLines.back().bottom(), height + 0.5);
    }
    EXPECT_GT(labLayout(chart, {0, 0, 380, 560}, {}).caption.size(), 2);
}

// Where all curves end at the horizontal axis.
TEST(LabFigure, NamesStayAboveTheNumbersOfTheAxis)
{
    LabChart chart = crowded(LabChartKind::curves);
    for (LabSeries& series : chart.series) {
        std::ranges::reverse(series.points);
        std::swap(series.points.front().x, series.points.back().x);
    }
    const LabLayout layout = labLayout(chart, {0, 0, 720, 400}, {});
    for (const LabLayout::Name& name : layout.names) {
        EXPECT_LE(name.rect.bottom(), layout.plot.bottom() + 0.5);
    }
}

TEST_P(LabFigures, HaveAllNumbersInTheirTable)
{
    const LabFigure figure(crowded(GetParam()));
    const FigureTable table = figure.table();
    EXPECT_EQ(table.rows.size(), GetParam() == LabChartKind::bars ? 9U : 18U);
    for (const QStringList& row : table.rows) {
        EXPECT_EQ(row.size(), table.header.size());
    }
    EXPECT_EQ(figure.plot().series.size(), 9U);
    EXPECT_EQ(figure.hotspots(QRectF(0, 0, 700, 400), {}).size(), 9U);
    EXPECT_TRUE(figure.summary().contains(QStringLiteral("an arm with number 8")));
}

TEST_P(LabFigures, AreDrawnInEveryFormat)
{
    const LabFigure figure(crowded(GetParam()));
    for (const ExportFormat format :
         {ExportFormat::svg, ExportFormat::pdf, ExportFormat::png, ExportFormat::tex}) {
        EXPECT_GT(exported(figure, format, {}).size(), 500);
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds,
                         LabFigures,
                         testing::Values(LabChartKind::curves,
                                         LabChartKind::bars,
                                         LabChartKind::rates));

TEST(LabFigure, SaysOfRatesTheOneThatTheSeedsHave)
{
    LabChart chart = crowded(LabChartKind::rates);
    chart.series.resize(1);
    LabSeries& series = chart.series.front();
    series.text.clear();
    series.points = {{.x = 0.001, .y = 2.5, .low = 2.5, .high = 2.5},
                     {.x = 0.003, .y = 1.75, .low = 1.75, .high = 1.75},
                     {.x = 0.01, .y = 3.25, .low = 3.25, .high = 3.25}};
    series.best = 1;
    const LabFigure figure(chart);

    EXPECT_TRUE(figure.summary().endsWith(QLatin1String(" 1.75")));
    const Hotspot hotspot = figure.hotspots(QRectF(0, 0, 700, 400), {}).front();
    ASSERT_EQ(hotspot.lines.size(), 2U);
    EXPECT_EQ(hotspot.lines[0].value, QStringLiteral("1.75"));
    EXPECT_EQ(hotspot.lines[1].value, QStringLiteral("0.003"));
}

TEST(LabFigure, SaysWhyItIsEmpty)
{
    const LabFigure figure({.emptyText = "No run has finished yet (tuning runs do not count)."});
    EXPECT_TRUE(figure.emptyText().contains(QStringLiteral("finished")));
    EXPECT_TRUE(figure.hotspots(QRectF(0, 0, 700, 400), {}).empty());
}

} // namespace
} // namespace flopsmith::ui
