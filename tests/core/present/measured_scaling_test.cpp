// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/study/measured_scaling.h"

#include "core/count/lens.h"
#include "core/model/presets.h"
#include "core/study/variation/axis_text.h"
#include "tests/core/protocol/messages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace flopsmith {
namespace {

// A chart of GPT-2 over the sequence, and results in which every part takes `rate` seconds for each
// of its FLOPs.
struct Example
{
    explicit Example(double rate = 1e-11, MetricId shown = MetricId::flops)
    {
        const Scenario scenario{*presetNamed("gpt2"), {.sequence = 256}};
        variants = usualVariants(scenario);
        const Axis axis = *parsedAxis("seq=64..1024:log2", scenario);
        chart = scalingChart(variants, {.metric = shown, .axis = axis});
        curves = {.plan = curvePlan(variants, axis), .device = "a test"};
        for (const MeasuredPart& part : curves.plan.parts) {
            Measured measured = someMeasured();
            measured.flops = priced(LensId::exact, costTree(part.operation).total().count);
            measured.medianSeconds = rate * toDouble(measured.flops);
            measured.madSeconds = 0.01 * measured.medianSeconds;
            curves.results.emplace_back(measured);
        }
    }

    std::vector<ScalingVariant> variants;
    ScalingChart chart;
    MeasuredCurves curves;
};

TEST(MeasuredScaling, PointsThatTakeTheSameForEachFlopLieOnTheirCurves)
{
    Example example;

    addMeasured(example.chart, example.curves);

    ASSERT_TRUE(example.chart.measured.has_value());
    const MeasuredScaling& measured = *example.chart.measured;
    EXPECT_EQ(measured.title, "measured time");
    EXPECT_NEAR(measured.factor, 1e11, 0.001e11);
    for (std::size_t i = 0; i < example.chart.curves.size(); ++i) {
        const ScalingCurve& computed = example.chart.curves[i];
        ASSERT_EQ(measured.curves[i].points.size(), computed.points.size());
        for (std::size_t j = 0; j < computed.points.size(); ++j) {
            const MeasuredScalingPoint& point = measured.curves[i].points[j];
            EXPECT_EQ(point.x, computed.points[j].x);
            EXPECT_NEAR(
                point.value * measured.factor, computed.points[j].y, 0.002 * computed.points[j].y);
            EXPECT_EQ(point.value, point.seconds);
            EXPECT_DOUBLE_EQ(point.spread, point.madSeconds);
        }
        EXPECT_NEAR(*measured.curves[i].slope, *computed.slope, 0.005);
        EXPECT_THAT(measured.curves[i].slopeText, testing::HasSubstr("\xC2\xB1"));
    }
}

TEST(MeasuredScaling, ItsAxisHasTheSameDecadesAsTheComputedOne)
{
    Example example;
    addMeasured(example.chart, example.curves);
    const TickAxis computed = example.chart.yAxis(8);

    const TickAxis axis = example.chart.measuredAxis(computed, 8);

    EXPECT_EQ(axis.low, computed.low);
    EXPECT_EQ(axis.high, computed.high);
    ASSERT_GE(axis.ticks.size(), 2U);
    for (const Tick& tick : axis.ticks) {
        EXPECT_NEAR(tick.position, std::log10(tick.value * example.chart.measured->factor), 1e-9);
        EXPECT_GE(tick.position, axis.low - 1e-9);
        EXPECT_LE(tick.position, axis.high + 1e-9);
        EXPECT_THAT(tick.label, testing::EndsWith("s")); // seconds of some size
    }
}

TEST(MeasuredScaling, ShowsRatesInTheirPlace)
{
    Example example;
    example.curves.metric = MetricId::flopsPerSecond;

    addMeasured(example.chart, example.curves);

    for (const MeasuredScalingPoint& point : example.chart.measured->curves.front().points) {
        EXPECT_EQ(point.value, point.flopsPerSecond);
        EXPECT_NEAR(point.value, 1e11, 1e5);
        EXPECT_NEAR(point.spread / point.value, point.madSeconds / point.seconds, 1e-12);
    }
    EXPECT_NEAR(*example.chart.measured->curves.front().slope, 0.0, 1e-6);
}

TEST(MeasuredScaling, SaysWhoIsFasterEverywhere)
{
    Example example;
    addMeasured(example.chart, example.curves);

    EXPECT_EQ(example.chart.measured->caption,
              "Faster at every S measured: ultra-efficient FFNs than GPT-2 small");
    EXPECT_FALSE(example.chart.measured->crossover.has_value());
}

TEST(MeasuredScaling, MarksWhereOneBecomesFaster)
{
    // FFNs that are not dense pay a fixed price, as if for a launch.
    Example example;
    for (std::size_t part = 0; part < example.curves.results.size(); ++part) {
        const auto* ffn = std::get_if<FfnSpec>(&example.curves.plan.parts[part].operation.what);
        if (ffn != nullptr && !holds_alternative<DenseFfn>(*ffn)) {
            example.curves.results[part]->medianSeconds += 0.02;
            example.curves.results[part]->relativeHalfWidth = 0.05;
        }
    }

    addMeasured(example.chart, example.curves);

    const MeasuredScaling& measured = *example.chart.measured;
    ASSERT_TRUE(measured.crossover.has_value()) << measured.caption;
    EXPECT_GT(measured.crossover->x, 64.0);
    EXPECT_LT(measured.crossover->x, 1024.0);
    EXPECT_LT(measured.crossover->low, measured.crossover->x);
    EXPECT_GT(measured.crossover->high, measured.crossover->x);
    EXPECT_THAT(measured.caption,
                testing::AllOf(testing::HasSubstr("Faster from S"), testing::HasSubstr("95 %")));
}

TEST(MeasuredScaling, ClaimsNoPlaceWhereErrorsLeaveAny)
{
    Example example;
    for (std::size_t part = 0; part < example.curves.results.size(); ++part) {
        const auto* ffn = std::get_if<FfnSpec>(&example.curves.plan.parts[part].operation.what);
        if (ffn != nullptr && !holds_alternative<DenseFfn>(*ffn)) {
            example.curves.results[part]->medianSeconds += 0.02;
            example.curves.results[part]->relativeHalfWidth = 8.0;
        }
    }

    addMeasured(example.chart, example.curves);

    EXPECT_FALSE(example.chart.measured->crossover.has_value());
    EXPECT_THAT(example.chart.measured->caption, testing::HasSubstr("Too close to say"));
}

TEST(MeasuredScaling, SaysWhatItsOpenPointsAre)
{
    Example example;
    const std::size_t last = example.curves.plan.points.back().uses.back().part;
    example.curves.results[last]->settled = false;

    addMeasured(example.chart, example.curves);

    EXPECT_THAT(example.chart.measured->caption, testing::HasSubstr("open points"));
}

TEST(MeasuredScaling, SaysHowFarItIsAndWhatFailed)
{
    Example example;
    example.curves.results.back().reset();
    example.curves.running = true;
    addMeasured(example.chart, example.curves);
    EXPECT_THAT(example.chart.measured->caption, testing::HasSubstr("measuring: "));

    example.curves.running = false;
    example.curves.failures = {"It needs 9 bytes."};
    addMeasured(example.chart, example.curves);
    EXPECT_THAT(example.chart.measured->caption, testing::HasSubstr("It needs 9 bytes."));

    example.curves.results.clear();
    addMeasured(example.chart, example.curves);
    EXPECT_TRUE(example.chart.measured->empty());
}

} // namespace
} // namespace flopsmith
