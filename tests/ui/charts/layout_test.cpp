// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/charts/readable.h"
#include "tests/ui/charts/samples.h"
#include "ui/charts/base/clipping.h"
#include "ui/charts/run_time/run_time_figure.h"
#include "ui/charts/share/share_figure.h"
#include "ui/charts/share/share_layout.h"
#include "ui/charts/share/share_painter.h"
#include "ui/charts/waterfall/waterfall_figure.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith::ui {
namespace {

struct ReadableCase
{
    std::string_view preset;
    QSize size;
};

class Readable : public testing::TestWithParam<std::tuple<std::string_view, std::pair<int, int>>>
{};

TEST_P(Readable, NoLabelLeavesThePaperOrLiesOverAnother)
{
    const auto& [preset, size] = GetParam();
    const QRectF area(0, 0, size.first, size.second);
    for (const ChartId kind : allKinds()) {
        for (const std::size_t done : {0, 3, 1000}) {
            for (const LensId lensId : {LensId::exact, LensId::mac}) {
                FigureRequest request = requestOf(kind, preset);
                request.lens = lensId;
                request.times = timesOf(request.scenario, done);
                if (done == 0) {
                    request.times.clear();
                }

                const auto figure = figureOf(request);

                expectReadable(figure->drawing(area, {}),
                               area,
                               std::string(chartKind(kind).name) + " after " + std::to_string(done)
                                   + " parts");
            }
        }
    }
}

TEST_P(Readable, NeitherDoDesignsBesideEachOther)
{
    const auto& [preset, size] = GetParam();
    const QRectF area(0, 0, size.first, size.second);
    for (const ChartId kind : allKinds()) {
        for (const std::size_t others : {1, 2}) {
            for (const LensId lensId : {LensId::exact, LensId::mac}) {
                FigureRequest request = requestOf(kind, preset);
                request.lens = lensId;
                request.others = otherDesigns();
                request.others.resize(others);

                const auto figure = figureOf(request);

                expectReadable(figure->drawing(area, {}),
                               area,
                               std::string(chartKind(kind).name) + " beside "
                                   + std::to_string(others));
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    EverySize,
    Readable,
    testing::Combine(testing::Values("gpt2-half-swapped", "llama-3-8b", "bert-base", "tiny"),
                     testing::Values(std::pair(280, 260),
                                     std::pair(400, 330),
                                     std::pair(450, 205),
                                     std::pair(540, 330),
                                     std::pair(900, 600),
                                     std::pair(300, 900),
                                     std::pair(1920, 1080))));

TEST(ShareChart, DonutsHaveOneSizeAndStandInOneLine)
{
    const Scenario scenario = scenarioOf("gpt2");
    const CostTree<Count> tree = costTree(scenario);
    const auto donuts = usualDonuts(scenario, tree, LensId::exact, {}, {}, "x");

    const ShareLayout layout =
        shareLayout(donuts, legendRows(donuts), QRectF(0, 0, 540, 330), ChartStyle{});

    ASSERT_EQ(layout.donuts.size(), 3U);
    EXPECT_GE(layout.donuts[0].radius, 60.0);
    EXPECT_EQ(layout.donuts[0].radius, layout.donuts[2].radius);
    EXPECT_EQ(layout.donuts[0].centre.y(), layout.donuts[2].centre.y());
    EXPECT_EQ(layout.legend.hidden, 0U);
}

bool hasLabel(const Drawing& drawing, const QString& part)
{
    return std::any_of(drawing.labels.begin(), drawing.labels.end(), [&](const Label& label) {
        return label.text.contains(part);
    });
}

TEST(ShareChart, APartialMeasurementHasAGapAndNoPercentages)
{
    const QRectF area(0, 0, 540, 330);
    const Scenario scenario = scenarioOf("gpt2");
    const auto parts = measuredParts(scenario);
    const Donut donut = timeDonut(parts, timesOf(scenario, 3), "this CPU");
    const ShareFigure figure(Donuts{donut});
    const QString whole = QStringLiteral("3 of %1").arg(parts.size());

    const Drawing drawing = figure.drawing(area, {});

    EXPECT_TRUE(hasLabel(drawing, whole));
    EXPECT_FALSE(hasLabel(drawing, QStringLiteral("%")));
    EXPECT_LT(gapOf(donut).span, 0.0);
    EXPECT_TRUE(figure.summary().contains(whole + QStringLiteral(" parts")));
    EXPECT_FALSE(figure.summary().contains(QLatin1Char('%')));
    for (const QStringList& row : figure.table().rows) {
        EXPECT_EQ(row.at(3), QString()) << "a share of an unknown whole: " << qPrintable(row.at(0));
    }
    const DonutPlace place =
        shareLayout(figure.donuts(), legendRows(figure.donuts()), area, {}).donuts.front();
    const Arc gap = gapOf(donut);
    const QPointF inGap =
        onCircle(place.centre, gap.start + gap.span / 2, (place.radius + place.hole) / 2);
    EXPECT_EQ(figure.hotspotAt(inGap, area, {}), 0) << "the whole, and no slice";
}

TEST(RunTimeChart, OnlyACompleteMeasurementSpeaksOfAll)
{
    const QRectF area(0, 0, 540, 330);
    const Scenario scenario = scenarioOf("gpt2");
    const auto parts = measuredParts(scenario);
    const RunTimeFigure some(runTimeTable(parts, timesOf(scenario, 3), {}, {}));
    const RunTimeFigure all(runTimeTable(parts, timesOf(scenario, 1000), {}, {}));
    const QString partial = QStringLiteral("3 of %1 parts measured").arg(parts.size());

    EXPECT_TRUE(hasLabel(some.drawing(area, {}), partial));
    EXPECT_FALSE(hasLabel(some.drawing(area, {}), QStringLiteral("in all")));
    EXPECT_TRUE(some.summary().startsWith(partial));
    EXPECT_TRUE(hasLabel(all.drawing(area, {}), QStringLiteral(" in all")));
    EXPECT_TRUE(hasLabel(all.drawing(area, {}), QStringLiteral("\u2248 "))) << "a part is rough";
}

TEST(ShareChart, TheSmallestWindowStillNamesEverythingThatCanBeSeen)
{
    const Scenario scenario = scenarioOf("gpt2-half-swapped");
    const CostTree<Count> tree = costTree(scenario);
    const auto donuts = usualDonuts(scenario, tree, LensId::exact, {}, {}, "x");
    const auto rows = legendRows(donuts);

    const ShareLayout layout = shareLayout(donuts, rows, QRectF(0, 0, 440, 192), ChartStyle{});

    EXPECT_GE(layout.legend.rows.size(), 5U);
    EXPECT_GE(layout.donuts[0].radius, 24.0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto& shown = layout.legend.rows;
        if (std::find(shown.begin(), shown.end(), i) != shown.end()) {
            continue;
        }
        for (const LegendColumn& column : layout.legend.columns) {
            const Slice* slice = donuts[column.donut].slice(*rows[i].component);
            EXPECT_LT(slice == nullptr ? 0.0 : slice->share, 0.001) << rows[i].title;
        }
    }
}

TEST(ShareChart, ALegendWithoutRoomKeepsTheLargestComponents)
{
    const Scenario scenario = scenarioOf("gpt2-half-swapped");
    const CostTree<Count> tree = costTree(scenario);
    const std::vector<Donut> donuts{flopsDonut(tree, LensId::exact)};
    const auto rows = legendRows(donuts);

    const ShareLayout layout = shareLayout(donuts, rows, QRectF(0, 0, 260, 220), ChartStyle{});

    ASSERT_GT(layout.legend.hidden, 0U);
    ASSERT_FALSE(layout.legend.rows.empty());
    EXPECT_EQ(layout.legend.rows.size() + layout.legend.hidden, rows.size());
    double leastShown = 1.0;
    for (const std::size_t row : layout.legend.rows) {
        leastShown = std::min(leastShown, donuts[0].slice(*rows[row].component)->share);
    }
    int larger = 0;
    for (const Slice& slice : donuts[0].slices) {
        larger += slice.share > leastShown ? 1 : 0;
    }
    EXPECT_EQ(static_cast<std::size_t>(larger), layout.legend.rows.size() - 1);
}

TEST(ShareChart, TheHotspotUnderThePointerIsTheSliceThatIsDrawnThere)
{
    const auto figure = figureOf(requestOf(ChartId::share));
    const QRectF area(0, 0, 540, 330);
    const std::vector<Hotspot> hotspots = figure->hotspots(area, {});

    for (std::size_t i = 0; i < hotspots.size(); ++i) {
        EXPECT_EQ(figure->hotspotAt(hotspots[i].anchor, area, {}), static_cast<int>(i))
            << hotspots[i].title.toStdString();
    }
    EXPECT_EQ(figure->hotspotAt({1.0, 1.0}, area, {}), -1);
}

TEST(WaterfallLayout, BarsHangBetweenTheTotalsAndTheTotalsStandOnTheAxis)
{
    const auto figure = figureOf(requestOf(ChartId::waterfall, "gpt2"));
    const WaterfallChart& chart = dynamic_cast<const WaterfallFigure&>(*figure).content();

    const WaterfallLayout layout = waterfallLayout(chart, QRectF(0, 0, 540, 330), {});

    ASSERT_EQ(layout.rows.size(), layout.chart.bars.size());
    EXPECT_EQ(layout.bar(0).left(), layout.plot.left());
    EXPECT_EQ(layout.bar(layout.rows.size() - 1).left(), layout.plot.left());
    for (std::size_t i = 1; i + 1 < layout.rows.size(); ++i) {
        const WaterfallBar& bar = layout.chart.bars[i];
        const double left = layout.xOf(std::min(bar.before, bar.after));
        EXPECT_NEAR(layout.bar(i).left(), left, 1e-6) << bar.title;
        EXPECT_TRUE(layout.plot.adjusted(-0.1, 0, 2.0, 0.1).contains(layout.bar(i)));
    }
}

TEST(WaterfallLayout, JoinsStepsWhereThereIsNoRoomForAll)
{
    const auto figure = figureOf(requestOf(ChartId::waterfall, "gpt2"));
    const WaterfallChart& chart = dynamic_cast<const WaterfallFigure&>(*figure).content();
    const QRectF low(0, 0, 540, 120);

    const WaterfallLayout layout = waterfallLayout(chart, low, {});

    EXPECT_LT(layout.rows.size(), chart.bars.size());
    EXPECT_LE(layout.ticks.bottom(), low.bottom() + 0.01);
    EXPECT_TRUE(layout.chart.bars.back().amount == chart.bars.back().amount);
}

TEST(WaterfallLayout, GhostsStandBelowTheirBarsOnTheSameAxis)
{
    FigureRequest request = requestOf(ChartId::waterfall, "gpt2");
    request.others = otherDesigns();
    const auto figure = figureOf(request);
    const WaterfallChart& chart = dynamic_cast<const WaterfallFigure&>(*figure).content();

    const WaterfallLayout layout = waterfallLayout(chart, QRectF(0, 0, 540, 330), {});

    EXPECT_EQ(layout.legend.places.size(), request.others.size());
    for (std::size_t i = 0; i < layout.rows.size(); ++i) {
        const BarRow& row = layout.rows[i];
        ASSERT_EQ(row.ghosts.size(), request.others.size());
        for (std::size_t ghost = 0; ghost < row.ghosts.size(); ++ghost) {
            const WaterfallGhost& drawn = layout.chart.bars[i].ghosts[ghost];
            if (drawn.amount == 0) {
                EXPECT_TRUE(row.ghosts[ghost].rect.isEmpty());
                continue;
            }
            EXPECT_GE(row.ghosts[ghost].rect.top(), layout.bar(i).bottom());
            EXPECT_LE(row.ghosts[ghost].rect.bottom(), row.rect.bottom() + 0.01);
            const double right = layout.xOf(std::max(drawn.before, drawn.after));
            EXPECT_NEAR(row.ghosts[ghost].rect.right(), right, 2.0);
        }
    }
}

TEST(RunTimeLayout, GhostsStandBelowTheirBarsOnTheSameAxis)
{
    FigureRequest request = requestOf(ChartId::runtime, "gpt2");
    request.others = otherDesigns();
    for (const ComparedDesign& other : request.others) {
        request.otherTimes.push_back({.device = request.device,
                                      .parts = measuredParts(other.scenario),
                                      .times = timesOf(other.scenario, 1000)});
    }
    const auto figure = figureOf(request);
    const RunTimeTable& table = dynamic_cast<const RunTimeFigure&>(*figure).content();

    for (const double height : {260.0, 420.0, 700.0}) {
        const RunTimeLayout layout = runTimeLayout(table, QRectF(0, 0, 560, height), {});
        for (const RunTimeLayout::Row& place : layout.rows) {
            const RunTimeRow& row = table.rows[place.row];
            ASSERT_EQ(place.ghosts.size(), row.ghosts.size());
            for (std::size_t i = 0; i < place.ghosts.size(); ++i) {
                EXPECT_EQ(place.ghosts[i].isEmpty(), row.ghosts[i].seconds == 0.0);
                if (place.ghosts[i].isEmpty()) {
                    continue;
                }
                EXPECT_GE(place.ghosts[i].top(), place.measured.bottom());
                EXPECT_LE(place.ghosts[i].bottom(), place.rect.bottom() + 0.01);
                EXPECT_LE(place.ghosts[i].right(), place.value.left());
                EXPECT_NEAR(place.ghosts[i].width(),
                            std::max(2.0, row.ghosts[i].seconds * layout.pixelsPerSecond),
                            1e-6);
            }
        }
        for (const FlowLegend::Place& entry : layout.legend.places) {
            EXPECT_GE(entry.rect.top(), layout.rows.back().rect.bottom());
            EXPECT_LE(entry.rect.bottom(), height + 0.01);
        }
    }
}

TEST(WaterfallChartFigure, SaysSoWhenTheLensesAgree)
{
    FigureRequest request = requestOf(ChartId::waterfall, "gpt2");
    request.from = request.lens;

    EXPECT_FALSE(figureOf(request)->emptyText().isEmpty());
    EXPECT_TRUE(figureOf(request)->hotspots(QRectF(0, 0, 540, 330), {}).empty());
}

TEST(RunTimeChart, BarsAreAsLongAsTheirTimes)
{
    const auto figure = figureOf(requestOf(ChartId::runtime));
    const RunTimeTable& table = dynamic_cast<const RunTimeFigure&>(*figure).content();

    const RunTimeLayout layout = runTimeLayout(table, QRectF(0, 0, 600, 400), {});

    ASSERT_EQ(layout.rows.size(), table.rows.size());
    for (const RunTimeLayout::Row& place : layout.rows) {
        const RunTimeRow& row = table.rows[place.row];
        const double expected = std::max(2.0, row.seconds * layout.pixelsPerSecond);
        EXPECT_NEAR(place.measured.width(), expected, 1e-9) << row.title;
        EXPECT_LE(place.value.right(), 600.5);
        EXPECT_EQ(place.bound.isNull(), row.lowerBoundSeconds == 0.0) << row.title;
        EXPECT_TRUE(place.bound.isNull() || place.measured.bottom() < place.bound.top())
            << "a bar covers its outline";
    }
}

TEST(RunTimeChart, MeasuredIsFilledAndComputedIsOutlined)
{
    FigureRequest request = requestOf(ChartId::runtime, "gpt2");
    request.times = timesOf(request.scenario, 0);
    const Drawing computed = figureOf(request)->drawing(QRectF(0, 0, 600, 400), {});
    for (const Shape& shape : computed.shapes) { // nothing is measured yet: only bounds
        EXPECT_EQ(shape.brush.style(), Qt::NoBrush);
        EXPECT_NE(shape.pen.style(), Qt::NoPen);
    }

    request.times = timesOf(request.scenario, 1000);
    request.machine.reset();
    const Drawing measured = figureOf(request)->drawing(QRectF(0, 0, 600, 400), {});
    const auto filled =
        std::count_if(measured.shapes.begin(), measured.shapes.end(), [](const Shape& shape) {
            return shape.brush.style() == Qt::SolidPattern;
        });
    EXPECT_EQ(static_cast<std::size_t>(filled), measuredParts(request.scenario).size());
}

TEST(Clipping, KeepsOnlyWhatLiesInsideAndAddsTheEdge)
{
    const QRectF range(0, 0, 10, 10);

    const auto pieces = clipped({{-5, 5}, {5, 5}, {5, 20}, {8, 20}, {8, 5}}, range);

    ASSERT_EQ(pieces.size(), 2U);
    EXPECT_EQ(pieces[0], (QList<QPointF>{{0, 5}, {5, 5}, {5, 10}}));
    EXPECT_EQ(pieces[1], (QList<QPointF>{{8, 10}, {8, 5}}));
    EXPECT_TRUE(clipped({{-1, -1}, {-2, 20}}, range).empty());
}

TEST(Clipping, NoPointOfRandomLinesIsOutside)
{
    Random random(7);
    const QRectF range(-3, 2, 5, 4);
    for (int round = 0; round < 300; ++round) {
        QList<QPointF> line;
        for (int i = 0; i < 20; ++i) {
            line.append({random.uniform() * 20 - 10, random.uniform() * 20 - 10});
        }
        for (const QList<QPointF>& piece : clipped(line, range)) {
            for (const QPointF& point : piece) {
                EXPECT_TRUE(range.adjusted(-1e-9, -1e-9, 1e-9, 1e-9).contains(point));
            }
        }
    }
}

} // namespace
} // namespace flopsmith::ui
