// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/charts/readable.h"
#include "tests/ui/charts/samples.h"
#include "ui/charts/run_time/device_fill.h"
#include "ui/charts/run_time/run_time_comparison_figure.h"
#include "ui/charts/run_time/run_time_figure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace flopsmith::ui {
namespace {

const MachineRoofs kRoofs = roofsOf({.flopsPerSecond = 1e11, .bytesPerSecond = 1e10});

// This CPU has measured everything, the box not yet, and the far one cannot be asked.
std::vector<DeviceTimes> threeDevices(const Scenario& scenario)
{
    return {{"this CPU", timesOf(scenario, 1000), kRoofs},
            {"box", timesOf(scenario, 4), kRoofs},
            {"far away", {}, {}, "far away: ssh: connect to host far: no route to host"}};
}

RunTimeComparison comparisonOf(const Scenario& scenario, const std::vector<DeviceTimes>& devices)
{
    return runTimeComparison(measuredParts(scenario), devices);
}

// A bar or tick as its painter makes it: a rectangle that is no text.
using Bar = RunTimeComparisonLayout::Bar;

QRectF ofBar(const Bar& bar)
{
    return bar.bound.isEmpty() ? bar.measured : bar.measured.united(bar.bound);
}

TEST(SideBySide, BarsOfAllDevicesHaveOneScale)
{
    const Scenario scenario = scenarioOf("gpt2-half-swapped");
    const RunTimeComparison comparison = comparisonOf(scenario, threeDevices(scenario));

    const RunTimeComparisonLayout layout =
        runTimeComparisonLayout(comparison, QRectF(0, 0, 640, 520), {});

    ASSERT_EQ(layout.parts.size(), comparison.columns[0].table.rows.size());
    ASSERT_EQ(layout.bars.size(), 2 * layout.parts.size()) << "one cannot be asked";
    for (const Bar& bar : layout.bars) {
        const RunTimeRow& row = comparison.columns[bar.column].table.rows[bar.row];
        const double expected =
            row.seconds > 0.0 ? std::max(2.0, row.seconds * layout.pixelsPerSecond) : 0.0;
        EXPECT_NEAR(bar.measured.width(), expected, 1e-9) << row.title;
        const double left = layout.parts.front().label.right() + 10.0;
        EXPECT_EQ(bar.bound.isNull(), row.lowerBoundSeconds == 0.0) << row.title;
        EXPECT_NEAR(bar.bound.isNull() ? 0.0 : bar.bound.center().x() - left,
                    row.lowerBoundSeconds * layout.pixelsPerSecond,
                    1e-9);
    }
}

TEST(SideBySide, NothingLiesOverAnythingAtAnySize)
{
    Random random(17);
    for (const char* preset : {"gpt2-half-swapped", "tiny"}) {
        const Scenario scenario = scenarioOf(preset);
        const std::size_t parts = measuredParts(scenario).size();
        for (int round = 0; round < 60; ++round) {
            std::vector<DeviceTimes> devices;
            const auto count = random.integer(2, 7);
            for (int i = 0; i < count; ++i) {
                devices.push_back({"device " + std::to_string(i),
                                   randomTimes(parts, random),
                                   random.uniform() < 0.5 ? std::optional(kRoofs) : std::nullopt,
                                   random.uniform() < 0.2 ? "It is switched off." : ""});
            }
            const RunTimeComparisonFigure figure(comparisonOf(scenario, devices));
            const QRectF area(3, 5, 260 + 700 * random.uniform(), 120 + 600 * random.uniform());
            const std::string what = std::string(preset) + " on " + std::to_string(count)
                + " devices, " + std::to_string(area.width()) + " x "
                + std::to_string(area.height());
            expectReadable(figure.drawing(area, {}), area, what);
            const RunTimeComparisonLayout layout =
                runTimeComparisonLayout(figure.content(), area, {});
            for (std::size_t i = 0; i < layout.bars.size(); ++i) {
                const Bar& bar = layout.bars[i];
                EXPECT_LT(ofBar(bar).right(), bar.value.left()) << what;
                EXPECT_TRUE(bar.ratio.isEmpty() || bar.value.right() <= bar.ratio.left()) << what;
                if (i > 0) {
                    EXPECT_GE(bar.rect.top(), layout.bars[i - 1].rect.bottom() - 1e-9) << what;
                }
            }
        }
    }
}

TEST(SideBySide, AWindowsCardShowsThreeDevicesOfASmallModel)
{
    const Scenario scenario = scenarioOf("gpt2");
    std::vector<DeviceTimes> devices = threeDevices(scenario);
    devices[2] = {"GPU box", timesOf(scenario, 1000), kRoofs};

    const RunTimeComparisonLayout layout =
        runTimeComparisonLayout(comparisonOf(scenario, devices), QRectF(0, 0, 420, 300), {});

    EXPECT_EQ(layout.devices.size(), 3U);
    EXPECT_GE(layout.parts.size(), 4U);
    std::set<std::size_t> shown;
    for (const RunTimeComparisonLayout::Part& part : layout.parts) {
        shown.insert(part.row);
    }
    const auto& rows = comparisonOf(scenario, devices).columns[0].table.rows;
    EXPECT_EQ(shown.size() + layout.hidden, rows.size());
}

TEST(SideBySide, ANarrowCardSaysTheEndOfALongReason)
{
    const Scenario scenario = scenarioOf("gpt2");
    const std::string reason = "The device \"GPU box\" is not available: \"/opt/flopsmith/bin/"
                               "flopsmith-bench-cuda\" cannot be started: No such file.";
    const auto said = [&](double width, double height) {
        const RunTimeComparison comparison = comparisonOf(
            scenario,
            {{"this CPU", timesOf(scenario, 1000), kRoofs, ""}, {"GPU box", {}, {}, reason}});
        const RunTimeComparisonLayout layout =
            runTimeComparisonLayout(comparison, QRectF(0, 0, width, height), {});
        QStringList texts;
        for (const PlacedLine& line : layout.devices[1].more) {
            texts << line.text;
            EXPECT_LE(textWidth(ChartStyle{}.font(kLegendTextSize), line.text), line.rect.width());
        }
        return texts.join(QLatin1Char(' ')).toStdString();
    };

    EXPECT_EQ(said(1200.0, 300.0), reason);
    EXPECT_EQ(said(560.0, 300.0), reason) << "in two lines";
    EXPECT_EQ(said(300.0, 214.0), reason.substr(reason.find("\"/opt")));
    EXPECT_EQ(said(300.0, 100.0), "No such file.");
}

TEST(SideBySide, AnExportedFigureLeavesNoPartOut)
{
    for (const char* preset : {"tiny", "gpt2", "gpt2-half-swapped"}) {
        const Scenario scenario = scenarioOf(preset);
        const RunTimeComparisonFigure figure(comparisonOf(scenario, threeDevices(scenario)));
        const QRectF inside(16, 60, 688, figure.minExportHeight() - 100.0);
        EXPECT_EQ(runTimeComparisonLayout(figure.content(), inside, {}).hidden, 0U) << preset;
    }
}

TEST(SideBySide, EveryDeviceHasAFillOfItsOwn)
{
    const QRectF bar(0, 0, 40, 8);
    std::vector<Drawing> drawings(kDeviceFills);
    std::set<std::uint32_t> colours;
    for (std::size_t i = 0; i < kDeviceFills; ++i) {
        fillForDevice(drawings[i], bar, QColor(10, 90, 160), i);
        colours.insert(colourOfDevice(i));
        ASSERT_EQ(drawings[i].shapes.size(), 1U);
        const Shape& one = drawings[i].shapes[0];
        for (std::size_t j = 0; j < i; ++j) {
            const Shape& other = drawings[j].shapes[0];
            EXPECT_FALSE(one.brush == other.brush && one.hatch == other.hatch
                         && one.pen == other.pen)
                << i << " looks like " << j;
        }
        const double reach = one.pen.style() == Qt::NoPen ? 0.0 : one.pen.widthF() / 2;
        EXPECT_LE(one.path.boundingRect().right() + reach, bar.right() + 1e-9);
    }
    EXPECT_EQ(colours.size(), kDeviceFills);
}

TEST(SideBySide, LegendAndBarsAnswerToThePointer)
{
    const Scenario scenario = scenarioOf("gpt2-half-swapped");
    const RunTimeComparisonFigure figure(comparisonOf(scenario, threeDevices(scenario)));
    const QRectF area(0, 0, 640, 520);
    const RunTimeComparisonLayout layout = runTimeComparisonLayout(figure.content(), area, {});
    const std::vector<Hotspot> hotspots = figure.hotspots(area, {});

    ASSERT_EQ(hotspots.size(), layout.devices.size() + layout.bars.size());
    for (std::size_t i = 0; i < hotspots.size(); ++i) {
        EXPECT_EQ(figure.hotspotAt(hotspots[i].keepClear.center(), area, {}), static_cast<int>(i));
    }
    EXPECT_TRUE(hotspots[2].accessibleText().contains(QLatin1String("no route to host")));
    const Hotspot& onBox = hotspots[layout.devices.size() + 1];
    EXPECT_TRUE(onBox.title.endsWith(QLatin1String("on box"))) << onBox.title.toStdString();
    EXPECT_TRUE(onBox.accessibleText().contains(QLatin1String("against this CPU")));
}

TEST(SideBySide, ADeviceThatCannotBeAskedSaysSoInTheLegend)
{
    const Scenario scenario = scenarioOf("gpt2");
    const ChartStyle style;
    const RunTimeComparisonFigure figure(
        comparisonOf(scenario, {{"this CPU"}, {"box", {}, {}, "box: connection refused"}}));

    EXPECT_EQ(figure.emptyText(), QString());
    const Drawing drawing = figure.drawing(QRectF(0, 0, 600, 400), style);
    const auto said = [&drawing](const QString& text) {
        return std::find_if(drawing.labels.begin(),
                            drawing.labels.end(),
                            [&text](const Label& label) { return label.text == text; });
    };
    ASSERT_NE(said(QStringLiteral("unavailable")), drawing.labels.end());
    EXPECT_EQ(said(QStringLiteral("unavailable"))->colour, style.theme.negative);
    EXPECT_NE(said(QStringLiteral("box: connection refused")), drawing.labels.end());
    EXPECT_TRUE(figure.summary().contains(QLatin1String("connection refused")));
}

TEST(SideBySide, TheTableHasARowPerDeviceAndPart)
{
    const Scenario scenario = scenarioOf("gpt2");
    const RunTimeComparison comparison = comparisonOf(scenario, threeDevices(scenario));
    const FigureTable table = RunTimeComparisonFigure(comparison).table();
    const FigureTable alone = RunTimeFigure(comparison.columns[1].table).table();
    const auto parts = static_cast<std::size_t>(alone.rows.size());

    ASSERT_EQ(table.rows.size(), 3 * parts);
    EXPECT_EQ(table.header.front(), QStringLiteral("device"));
    for (std::size_t i = 0; i < parts; ++i) {
        const QStringList& row = table.rows[parts + i];
        ASSERT_EQ(row.size(), table.header.size());
        EXPECT_EQ(row.front(), QStringLiteral("box"));
        EXPECT_EQ(row.mid(1, alone.header.size()), alone.rows[i]);
    }
    EXPECT_TRUE(table.rows.back().back().contains(QLatin1String("no route to host")));
}

TEST(SideBySide, AsLatexEveryDeviceIsASeries)
{
    const Scenario scenario = scenarioOf("gpt2");
    const RunTimeComparison comparison = comparisonOf(scenario, threeDevices(scenario));
    const PgfPlot plot = RunTimeComparisonFigure(comparison).plot();

    ASSERT_EQ(plot.series.size(), 3U);
    EXPECT_EQ(plot.series[0].points.size(), plot.y.names.size());
    EXPECT_DOUBLE_EQ(plot.series[0].points[1].x, 1e3 * comparison.columns[0].table.rows[1].seconds);
    EXPECT_TRUE(plot.series[2].points.empty());
    EXPECT_THAT(plot.series[2].name, testing::HasSubstr("unavailable"));
    EXPECT_NE(plot.series[0].rgb, plot.series[1].rgb);
}

TEST(SideBySide, OneDeviceLooksAsEver)
{
    FigureRequest request = requestOf(ChartId::runtime);
    const auto usual = figureOf(request);
    request.sideBySide = {{request.device, request.times, request.machine}};
    const auto one = figureOf(request);

    const QRectF area(0, 0, 500, 300);
    const Drawing expected = usual->drawing(area, {});
    const Drawing actual = one->drawing(area, {});
    ASSERT_EQ(actual.labels.size(), expected.labels.size());
    for (std::size_t i = 0; i < expected.labels.size(); ++i) {
        EXPECT_EQ(actual.labels[i].text, expected.labels[i].text);
        EXPECT_EQ(actual.labels[i].rect, expected.labels[i].rect);
    }
    EXPECT_EQ(one->table().rows, usual->table().rows);
    EXPECT_EQ(one->provenance.device, usual->provenance.device);

    request.sideBySide.push_back({"box", request.times});
    request.sideBySide.push_back({"far away", {}, {}, "It is off."});
    EXPECT_EQ(figureOf(request)->provenance.device, QStringLiteral("this CPU, box"));
}

} // namespace
} // namespace flopsmith::ui
