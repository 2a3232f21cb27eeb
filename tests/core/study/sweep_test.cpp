// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/sweep/sweep.h"

#include "core/ffn/dense.h"
#include "core/lens/cost_summary.h"
#include "core/model/presets.h"
#include "core/study/search/fit.h"
#include "core/study/variation/axis_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

SweepPlan sweepPlan(std::string_view id, const std::vector<std::string>& axes)
{
    SweepPlan plan{.base = {.model = *presetNamed(id), .workload = {.sequence = 64}}};
    for (const std::string& text : axes) {
        const Result<Axis> axis = parsedAxis(text, plan.base);
        EXPECT_TRUE(axis.ok()) << (axis.ok() ? "" : axis.error().message);
        plan.axes.push_back(*axis);
    }
    plan.metrics = {MetricId::flops, MetricId::params};
    return plan;
}

TEST(Sweep, EachPointCostsWhatItsScenarioCosts)
{
    const SweepPlan plan = sweepPlan("tiny", {"seq=16..64:log2", "batch=1,3"});

    const Result<std::vector<SweepPoint>> points = sweepPoints(plan);

    ASSERT_TRUE(points.ok());
    ASSERT_EQ(points->size(), 6U);
    for (const SweepPoint& point : *points) {
        Scenario scenario = plan.base;
        scenario.workload.sequence = static_cast<int>(std::get<std::int64_t>(point.at[0]));
        scenario.workload.batch = static_cast<int>(std::get<std::int64_t>(point.at[1]));
        const CostSummary expected = summary(costTree(scenario), scenario, LensId::exact);
        EXPECT_TRUE(point.values.at(0) == MetricValue(expected.flops.value()));
        EXPECT_TRUE(point.values.at(1) == MetricValue(expected.parameters));
    }
}

TEST(Sweep, TheLastAxisRunsFastest)
{
    const Result<std::vector<SweepPoint>> points =
        sweepPoints(sweepPlan("tiny", {"seq=1,2", "batch=1,3"}));

    ASSERT_TRUE(points.ok());
    EXPECT_EQ(points->at(0).at, (std::vector<FieldValue>{std::int64_t{1}, std::int64_t{1}}));
    EXPECT_EQ(points->at(1).at, (std::vector<FieldValue>{std::int64_t{1}, std::int64_t{3}}));
    EXPECT_EQ(points->at(2).at, (std::vector<FieldValue>{std::int64_t{2}, std::int64_t{1}}));
}

TEST(Sweep, ImpossiblePointsAreKeptWithTheirReason)
{
    // k_freq = 385 needs d_model of at least 768.
    SweepPlan plan = sweepPlan("gpt2-ultra-efficient", {"k_freq=1,385", "d_model=768"});
    plan.axes[1].values = {std::int64_t{384}, std::int64_t{768}};

    const Result<std::vector<SweepPoint>> points = sweepPoints(plan);

    ASSERT_TRUE(points.ok());
    ASSERT_EQ(points->size(), 4U);
    EXPECT_TRUE(points->at(0).possible());
    EXPECT_THAT(points->at(2).problem, testing::HasSubstr("k_freq"));
    EXPECT_TRUE(points->at(2).values.empty());
    EXPECT_TRUE(points->at(3).possible());
}

TEST(Sweep, ABlocksKeyChangesThatBlockAlone)
{
    const SweepPlan plan = sweepPlan("gpt2", {"blocks[3].d_ff=3072,6144"});

    const Result<std::vector<SweepPoint>> points = sweepPoints(plan);

    ASSERT_TRUE(points.ok());
    const Count once = std::get<Count>(points->at(0).values[1]);
    const Count twice = std::get<Count>(points->at(1).values[1]);
    EXPECT_TRUE(twice - once == Count{2} * 768 * 3072 + 3072);
}

TEST(Sweep, StopsWhenAsked)
{
    std::stop_source source;
    int seen = 0;

    const Result<SweepEnd> end = sweep(
        sweepPlan("tiny", {"seq=1..64"}),
        [&](const SweepPoint&) {
            if (++seen == 2) {
                source.request_stop();
            }
        },
        source.get_token());

    ASSERT_TRUE(end.ok());
    EXPECT_EQ(*end, SweepEnd::stopped);
    EXPECT_EQ(seen, 2);
}

TEST(Sweep, AttentionScoresMakeLongSequencesQuadratic)
{
    SweepPlan plan = sweepPlan("tiny", {"seq=65536..1048576:log2"});
    plan.lens = LensId::matmul;
    const Result<std::vector<SweepPoint>> points = sweepPoints(plan);
    ASSERT_TRUE(points.ok());

    std::vector<double> x;
    std::vector<double> y;
    for (const SweepPoint& point : *points) {
        x.push_back(static_cast<double>(std::get<std::int64_t>(point.at[0])));
        y.push_back(toDouble(point.values[0]));
    }

    EXPECT_NEAR(fitPowerLaw(x, y).value().exponent, 2.0, 0.01);
}

TEST(Sweep, RefusesAPlanThatCannotBeRun)
{
    const auto ignore = [](const SweepPoint&) {};
    SweepPlan none = sweepPlan("tiny", {});
    SweepPlan unknown = sweepPlan("tiny", {"seq=1,2"});
    unknown.axes[0].key = "k_freq";
    SweepPlan huge = sweepPlan("tiny", {"seq=1..9000:step 1", "batch=1..9000:step 1"});

    EXPECT_FALSE(sweep(none, ignore).ok());
    EXPECT_THAT(sweep(unknown, ignore).error().message, testing::HasSubstr("k_freq"));
    EXPECT_THAT(sweep(huge, ignore).error().message, testing::HasSubstr("combinations"));
}

// As many points as fill several chunks, at a size that is no multiple of one.
TEST(Sweep, WorkersGiveTheSamePointsInTheSameOrder)
{
    SweepPlan plan = sweepPlan("tiny", {"seq=1..1337:step 1", "batch=1,2"});
    std::vector<MetricValue> alone;
    std::vector<MetricValue> together;

    const auto collect = [](std::vector<MetricValue>& all) {
        return [&all](const SweepPoint& point) { all.push_back(point.values.at(0)); };
    };
    ASSERT_TRUE(sweep(plan, collect(alone)).ok());
    ASSERT_TRUE(sweep(plan, collect(together), {}, 3).ok());

    EXPECT_EQ(alone.size(), 2674U);
    EXPECT_TRUE(alone == together);
}

TEST(Sweep, WorkersStopWhenAsked)
{
    const SweepPlan plan = sweepPlan("tiny", {"seq=1..4096:step 1", "batch=1..512:step 1"});
    std::stop_source stop;
    std::size_t visited = 0;

    const auto end = sweep(
        plan,
        [&](const SweepPoint&) {
            if (++visited == 1000) {
                stop.request_stop();
            }
        },
        stop.get_token(),
        2);

    ASSERT_TRUE(end.ok());
    EXPECT_EQ(*end, SweepEnd::stopped);
    EXPECT_EQ(visited, 1000U);
}

TEST(Sweep, TiedParametersFollowAtEveryPoint)
{
    SweepPlan plan = sweepPlan("tiny", {"d_model=64,128"});
    plan.ties = {*parsedTie("d_ff=4*d_model")};

    const Result<Scenario> wide = scenarioAt(plan, {std::int64_t{128}});

    ASSERT_TRUE(wide.ok());
    EXPECT_EQ(get<DenseFfn>(wide->model.runs.front().block.ffn).dFf, 512);
}

} // namespace
} // namespace flopsmith
