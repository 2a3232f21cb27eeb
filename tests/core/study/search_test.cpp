// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/search/search.h"

#include "core/ffn/gated.h"
#include "core/model/presets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using testing::HasSubstr;

SearchPlan planOf(std::string_view preset, std::string key)
{
    return {.base = {*presetNamed(preset), {.sequence = 128}}, .key = std::move(key)};
}

double metricAt(const SearchPlan& plan, int value, MetricId id)
{
    const auto variation = Variation::create(plan.base, {plan.key}, plan.ties);
    const Scenario scenario = variation->at({std::int64_t{value}});
    return toDouble(metricValue(id, figures(costTree(scenario), scenario, plan.lens), scenario));
}

int whole(const FieldValue& value)
{
    return static_cast<int>(std::get<std::int64_t>(value));
}

TEST(Bound, IsReadWithItsUnit)
{
    EXPECT_EQ(*parsedBound("params<=100M"), (Bound{MetricId::params, Bound::Side::atMost, 100e6}));
    EXPECT_EQ(*parsedBound("weight_bytes < 2GiB"),
              (Bound{MetricId::weightBytes, Bound::Side::atMost, 2147483648.0}));
    EXPECT_EQ(*parsedBound("flops>=1.5e12"),
              (Bound{MetricId::flops, Bound::Side::atLeast, 1.5e12}));
    EXPECT_EQ(*parsedQuantity("2 kB"), 2000.0);
    EXPECT_EQ(parsedBound("params<=8B")->limit, 8e9);
    EXPECT_EQ(parsedBound("weight_bytes<=512B")->limit, 512.0);
}

TEST(Bound, ThatIsMalformedSaysWhatIsRight)
{
    EXPECT_THAT(parsedBound("params").error().message, HasSubstr("METRIC<=NUMBER"));
    EXPECT_THAT(parsedBound("weight<=1").error().message, HasSubstr("known are flops"));
    EXPECT_THAT(parsedBound("params<=many").error().message, HasSubstr("100M"));
    EXPECT_THAT(parsedBound("params<=1X").error().message, HasSubstr("no quantity"));
    EXPECT_FALSE(parsedBound("params<=1e999").ok());
}

// The whole number above the found one breaks the bound, the found one does not.
TEST(Search, FindsTheLargestValueWithinABound)
{
    SearchPlan plan = planOf("gpt2", "d_ff");
    plan.bounds = {{MetricId::params, Bound::Side::atMost, 150e6}};

    const auto result = search(plan);

    ASSERT_TRUE(result.ok()) << result.error().message;
    const int found = whole(result->found.value);
    EXPECT_LE(metricAt(plan, found, MetricId::params), 150e6);
    EXPECT_GT(metricAt(plan, found + 1, MetricId::params), 150e6);
    ASSERT_TRUE(result->next.has_value());
    EXPECT_EQ(whole(result->next->value), found + 1);
    EXPECT_THAT(result->next->problem, HasSubstr("params"));
    EXPECT_LT(result->evaluated, 1100U);
}

TEST(Search, ListsWhatItTriedWithTheReasonAgainstEach)
{
    SearchPlan plan = planOf("gpt2", "d_ff");
    plan.metric = MetricId::params;
    plan.bounds = {{MetricId::params, Bound::Side::atMost, 150e6}};

    const auto result = search(plan);

    ASSERT_TRUE(result.ok()) << result.error().message;
    ASSERT_EQ(result->points.size(), result->evaluated);
    for (std::size_t i = 0; i < result->points.size(); ++i) {
        const SearchedPoint& point = result->points[i];
        const double params = metricAt(plan, whole(point.value), MetricId::params);
        EXPECT_EQ(toDouble(point.metrics.front()), params);
        EXPECT_EQ(point.problem.empty(), params <= 150e6);
        EXPECT_TRUE(i == 0 || result->points[i - 1].value < point.value);
    }
}

TEST(Search, TheWidthKeepsItsShapeWithTies)
{
    SearchPlan plan = planOf("gpt2", "d_model");
    plan.ties = {{"d_ff", 4, "d_model"}};
    plan.bounds = {{MetricId::params, Bound::Side::atMost, 100e6},
                   {MetricId::weightBytes, Bound::Side::atMost, 2e9}};

    const auto result = search(plan);

    ASSERT_TRUE(result.ok());
    const int found = whole(result->found.value);
    EXPECT_EQ(found % 12, 0); // whole heads
    EXPECT_LE(metricAt(plan, found, MetricId::params), 100e6);
    EXPECT_GT(metricAt(plan, found + 12, MetricId::params), 100e6);
}

TEST(Search, FindsTheSmallestValueAboveABound)
{
    SearchPlan plan = planOf("gpt2", "d_ff");
    plan.goal = SearchPlan::Goal::smallest;
    plan.bounds = {{MetricId::flops, Bound::Side::atLeast, 40e9}};

    const auto result = search(plan);

    ASSERT_TRUE(result.ok());
    const int found = whole(result->found.value);
    EXPECT_GE(metricAt(plan, found, MetricId::flops), 40e9);
    EXPECT_LT(metricAt(plan, found - 1, MetricId::flops), 40e9);
}

// SwiGLU of ⅔ the width does the products of the dense FFN.
TEST(Search, FindsTheWidthOfEqualCost)
{
    const SearchPlan dense = planOf("gpt2", "d_ff");
    SearchPlan gated = dense;
    for (BlockRun& run : gated.base.model.runs) {
        run.block.ffn = GatedFfn{};
    }
    gated.goal = SearchPlan::Goal::nearest;
    gated.metric = MetricId::macs;
    gated.lens = LensId::mac;
    gated.target = metricAt(dense, 3072, MetricId::macs);

    const auto result = search(gated);

    ASSERT_TRUE(result.ok()) << result.error().message;
    EXPECT_EQ(whole(result->found.value), 2048);
}

TEST(Search, SaysThatNothingMeetsTheBounds)
{
    SearchPlan plan = planOf("gpt2", "d_ff");
    plan.bounds = {{MetricId::params, Bound::Side::atMost, 1000}};

    EXPECT_THAT(search(plan).error().message, HasSubstr("no legal value of d_ff"));
    EXPECT_THAT(search(planOf("gpt2", "causal")).error().message, HasSubstr("not a number"));
    EXPECT_THAT(search(planOf("gpt2", "k_freq")).error().message, HasSubstr("no such parameter"));
}

} // namespace
} // namespace flopsmith
