// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/sweep/measured_sweep.h"

#include "core/model/presets.h"
#include "core/study/sweep/pass_time.h"
#include "core/study/variation/axis_text.h"
#include "tests/core/protocol/workers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace flopsmith {
namespace {

SweepPlan tinyPlan(const std::string& axis)
{
    SweepPlan plan{.base = {.model = *presetNamed("tiny"), .workload = {.sequence = 8}}};
    plan.axes = {*parsedAxis(axis, plan.base)};
    plan.metrics = {MetricId::flops,
                    MetricId::time,
                    MetricId::timeMad,
                    MetricId::tokensPerSecond,
                    MetricId::flopsPerSecond};
    return plan;
}

std::vector<SweepPoint> measured(const SweepPlan& plan, const std::string& script, PoolEnd* end)
{
    std::vector<SweepPoint> points;
    const std::vector<Device> devices{scripted(script)};
    const auto ended = measuredSweep(plan,
                                     devices,
                                     {.budgetSeconds = 0.0, .peaks = WithPeaks::no},
                                     [&](const SweepPoint& point) { points.push_back(point); });
    EXPECT_TRUE(ended.ok());
    if (end != nullptr && ended) {
        *end = *ended;
    }
    return points;
}

TEST(PassTime, IsTheSumOverAllUsesWithErrorsAddedAsSquares)
{
    const Scenario scenario{*presetNamed("gpt2-half-swapped"), {.sequence = 8}};
    const std::vector<MeasuredPart> plan = partsOfPass(scenario);
    std::vector<PartResult> parts(plan.size());
    double seconds = 0.0;
    double squares = 0.0;
    Count flops = 0;
    for (std::size_t i = 0; i < plan.size(); ++i) {
        Measured one = someMeasured();
        one.medianSeconds = 1e-3 * static_cast<double>(i + 1);
        one.madSeconds = 1e-5 * static_cast<double>(i + 1);
        one.flops = Count{1000} * static_cast<std::int64_t>(i + 1);
        parts[i] = {.stage = PartStage::measured, .measured = one};
        if (plan[i].addsToTotal()) {
            seconds += plan[i].uses * one.medianSeconds;
            squares += std::pow(plan[i].uses * one.madSeconds, 2);
            flops += Count{plan[i].uses} * one.flops;
        }
    }

    const Result<PassTime> time = passTime(plan, parts);

    ASSERT_TRUE(time.ok());
    EXPECT_DOUBLE_EQ(time->seconds, seconds);
    EXPECT_DOUBLE_EQ(time->madSeconds, std::sqrt(squares));
    EXPECT_TRUE(time->flops == flops);
    EXPECT_TRUE(time->settled);
    EXPECT_GT(time->standardErrorSeconds, 0.0);

    parts.back() = {.stage = PartStage::failed, .sentence = "It needs 9 bytes."};
    EXPECT_THAT(passTime(plan, parts).error().message,
                testing::AllOf(testing::HasSubstr(plan.back().path),
                               testing::HasSubstr("It needs 9 bytes.")));
}

TEST(PassTime, OfTrainingHasForwardAndBackwardParts)
{
    Scenario scenario{*presetNamed("gpt2-ultra-efficient"), {.sequence = 8}};
    const std::size_t forward = partsOfPass(scenario).size();
    scenario.workload.phase = Phase::train;

    const std::vector<MeasuredPart> parts = partsOfPass(scenario);

    ASSERT_GT(parts.size(), forward);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const ComputePass pass = i < forward ? ComputePass::forward : ComputePass::backward;
        EXPECT_EQ(parts[i].operation.pass, pass);
        if (!parts[i].addsToTotal()) {
            const auto& whole = parts.at(static_cast<std::size_t>(parts[i].partOf));
            EXPECT_EQ(whole.operation.pass, pass);
            EXPECT_TRUE(whole.addsToTotal());
        }
    }
}

TEST(PassTime, FewSamplesHaveAnErrorFromTheirSpread)
{
    Measured one = someMeasured();
    EXPECT_DOUBLE_EQ(standardError(one), 0.004 * one.medianSeconds / 1.96);
    one.relativeHalfWidth.reset();
    one.samples = 4;
    EXPECT_NEAR(standardError(one), 0.93 * one.madSeconds, 0.01 * one.madSeconds);
}

TEST(MeasuredSweep, FillsTheMeasuredColumnsAndNamesTheDevice)
{
    const SweepPlan plan = tinyPlan("seq=2,4,8");
    const std::vector<SweepPoint> points = measured(plan, shellWorker("measured"), nullptr);

    ASSERT_EQ(points.size(), 3U);
    for (const SweepPoint& point : points) {
        const Scenario scenario = scenarioAt(plan, point.at).value();
        double seconds = 0.0;
        for (const MeasuredPart& part : partsOfPass(scenario)) {
            seconds += part.addsToTotal() ? part.uses * someMeasured().medianSeconds : 0.0;
        }
        EXPECT_TRUE(point.possible()) << point.problem;
        EXPECT_EQ(point.device, "a test");
        EXPECT_DOUBLE_EQ(toDouble(point.values.at(1)), seconds);
        EXPECT_GT(toDouble(point.values.at(2)), 0.0);
        EXPECT_DOUBLE_EQ(toDouble(point.values.at(3)) * seconds, scenario.queryTokens());
        EXPECT_GT(toDouble(point.values.at(4)), 0.0);
    }
    EXPECT_TRUE(std::isnan(toDouble(sweepPoints(plan)->at(0).values.at(1))));
}

TEST(MeasuredSweep, KeepsImpossibleAndFailedPointsInTheirPlace)
{
    SweepPlan plan = tinyPlan("d_model=32,64");
    plan.axes.front().values = {
        std::int64_t{7}, std::int64_t{32}, std::int64_t{64}, std::int64_t{9}};

    const std::vector<SweepPoint> points =
        measured(plan,
                 shellWorker("case \"$line\" in *'\"d_model\":64,'*) failure;; *) measured;; esac"),
                 nullptr);

    ASSERT_EQ(points.size(), 4U);
    EXPECT_TRUE(points[0].values.empty());
    EXPECT_EQ(points[0].device, "");
    EXPECT_GT(toDouble(points[1].values.at(1)), 0.0);
    EXPECT_THAT(points[2].problem, testing::HasSubstr("It needs 9 bytes."));
    EXPECT_GT(toDouble(points[2].values.at(0)), 0.0); // what is computed stays
    EXPECT_TRUE(std::isnan(toDouble(points[2].values.at(1))));
    EXPECT_TRUE(points[3].values.empty());
}

TEST(MeasuredSweep, WithoutADeviceSaysSoAtEveryPoint)
{
    PoolEnd end;
    const std::vector<SweepPoint> points = measured(tinyPlan("seq=2,4,8"), "exit 1", &end);

    EXPECT_TRUE(end.allDevicesLost);
    ASSERT_EQ(points.size(), 3U);
    for (const SweepPoint& point : points) {
        EXPECT_THAT(point.problem, testing::HasSubstr("no device"));
    }
}

} // namespace
} // namespace flopsmith
