// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/variation/metric.h"

#include "core/budget/memory.h"
#include "core/budget/training.h"
#include "core/model/presets.h"
#include "core/study/search/search.h"
#include "core/study/sweep/sweep.h"
#include "core/study/variation/axis_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace flopsmith {
namespace {

Scenario gpt2(Phase phase = Phase::prefill)
{
    return {*presetNamed("gpt2"), {.phase = phase, .sequence = 128}};
}

// Computes in 16 bits alone.
MetricHardware halfPrecisionDevice()
{
    Hardware hardware{.id = "half", .name = "Half", .bytesPerSecond = {1e12, "made up"}};
    hardware.peaks = {{NumberFormat::bf16, 1e14, "made up"}};
    return {hardware, std::nullopt};
}

double value(MetricId id, const Scenario& scenario, const MetricBasis& basis)
{
    const auto values = metricValues({&id, 1}, costTree(scenario, basis.pairs), scenario, basis);
    return toDouble(values.value().front());
}

TEST(Metrics, HaveUniqueNamesThatAreFound)
{
    std::set<std::string_view> names;
    for (const Metric& each : metrics()) {
        names.insert(each.name);
        EXPECT_EQ(metricNamed(each.name), each.id);
        EXPECT_EQ(metric(each.id).name, each.name);
    }
    EXPECT_EQ(names.size(), metrics().size());
    EXPECT_FALSE(metricNamed("speed").has_value());
}

TEST(Metrics, AreGroupedByWhatTheyNeed)
{
    std::size_t grouped = 0;
    for (const MetricNeeds needs :
         {MetricNeeds::nothing, MetricNeeds::hardware, MetricNeeds::measuring}) {
        EXPECT_FALSE(metrics(needs).empty());
        for (const Metric& each : metrics(needs)) {
            EXPECT_EQ(each.needs, needs) << each.name;
            EXPECT_EQ(each.id, metrics()[grouped++].id);
        }
    }
    EXPECT_EQ(grouped, metrics().size());
}

TEST(Metrics, TheLeastTimeIsThatOfTheRoofline)
{
    const Hardware hardware = hardwareNamed("h100-sxm").value();
    for (const Phase phase : {Phase::prefill, Phase::decode, Phase::train}) {
        const Scenario scenario = gpt2(phase);
        const MetricBasis basis{.lens = LensId::exact, .on = MetricHardware{hardware}};
        const HardwarePeak peak = hardwarePeak(hardware, scenario.workload.precision).value();
        const Roofline roofs =
            roofline(costTree(scenario), scenario.workload.precision, peak.peaks(), LensId::exact);
        const double seconds = roofs.whole().seconds;

        EXPECT_EQ(value(MetricId::lowerBoundSeconds, scenario, basis), seconds);
        EXPECT_EQ(value(MetricId::mfuAtLowerBound, scenario, basis), roofs.mfuAtLowerBound());
        EXPECT_DOUBLE_EQ(value(MetricId::lowerBoundTokensPerSecond, scenario, basis) * seconds,
                         scenario.queryTokens());
        EXPECT_DOUBLE_EQ(value(MetricId::energyJoules, scenario, basis),
                         hardware.watts->value * seconds);
        EXPECT_DOUBLE_EQ(value(MetricId::memoryShare, scenario, basis)
                             * hardware.memoryBytes->value,
                         value(MetricId::memoryBytes, scenario, basis));
    }
}

TEST(Metrics, MemoryOfTrainingAndInferenceDoesNotDependOnThePhase)
{
    const MetricBasis basis;
    const Scenario training = gpt2(Phase::train);
    const Scenario prefill = gpt2(Phase::prefill);
    for (const Scenario& scenario : {training, prefill}) {
        EXPECT_EQ(value(MetricId::trainingMemoryBytes, scenario, basis),
                  value(MetricId::memoryBytes, training, basis));
        EXPECT_EQ(value(MetricId::inferenceMemoryBytes, scenario, basis),
                  value(MetricId::memoryBytes, prefill, basis));
        EXPECT_EQ(value(MetricId::activationBytes, scenario, basis),
                  toDouble(memory(training).total(MemoryKind::activations)));
        EXPECT_EQ(value(MetricId::trainingFlopsPerToken, scenario, basis),
                  trainingFlopsPerToken(scenario, PairsRule::exact).model);
    }
    EXPECT_GT(value(MetricId::kvCacheBytes, prefill, basis), 0.0);
    EXPECT_EQ(value(MetricId::kvCacheBytes, prefill, basis),
              128 * value(MetricId::kvCacheBytesPerToken, prefill, basis));
    EXPECT_EQ(value(MetricId::kvCacheBytes, training, basis), 0.0);
}

TEST(Metrics, SayWhatTheyLack)
{
    const auto why = [](MetricId id, const MetricBasis& basis) {
        const Status has = computable(id, basis);
        return has ? std::string() : has.error().message;
    };
    const MetricBasis none;
    const MetricBasis half{.on = halfPrecisionDevice()};

    EXPECT_EQ(why(MetricId::flops, none), "");
    EXPECT_THAT(why(MetricId::lowerBoundSeconds, none), testing::HasSubstr("--hardware"));
    EXPECT_EQ(why(MetricId::lowerBoundSeconds, half), "");
    EXPECT_THAT(why(MetricId::energyJoules, half), testing::HasSubstr("power"));
    EXPECT_THAT(why(MetricId::memoryShare, half), testing::HasSubstr("memory"));
    EXPECT_THAT(why(MetricId::time, half), testing::HasSubstr("measured"));
    for (const MetricId id : computableMetrics(half)) {
        EXPECT_EQ(why(id, half), "");
    }
}

TEST(Sweep, PointsThatTheHardwareCannotComputeAreKeptWithTheReason)
{
    SweepPlan plan{.base = gpt2()};
    plan.axes = {*parsedAxis("activation_bits=16,32", plan.base)};
    plan.metrics = {MetricId::lowerBoundSeconds};
    EXPECT_FALSE(sweepPoints(plan).ok()); // without hardware
    plan.on = halfPrecisionDevice();

    const auto points = sweepPoints(plan);

    ASSERT_TRUE(points.ok());
    EXPECT_TRUE(points->at(0).possible());
    EXPECT_GT(toDouble(points->at(0).values.at(0)), 0.0);
    EXPECT_FALSE(points->at(1).possible());
    EXPECT_TRUE(points->at(1).values.empty());
}

// The longest prompt that the peaks allow within a time, and one token more.
TEST(Search, BoundsMayBeOfHardware)
{
    SearchPlan plan{.base = gpt2(), .key = "seq"};
    plan.on = MetricHardware{hardwareNamed("h100-sxm").value()};
    plan.bounds = {{MetricId::lowerBoundSeconds, Bound::Side::atMost, 1e-3}};

    const auto result = search(plan);

    ASSERT_TRUE(result.ok()) << result.error().message;
    Scenario longest = plan.base;
    longest.workload.sequence = static_cast<int>(std::get<std::int64_t>(result->found.value));
    EXPECT_LE(value(MetricId::lowerBoundSeconds, longest, plan.basis()), 1e-3);
    ++longest.workload.sequence;
    EXPECT_GT(value(MetricId::lowerBoundSeconds, longest, plan.basis()), 1e-3);
    EXPECT_EQ(result->found.metrics.size(), result->metrics.size());
    EXPECT_EQ(result->metrics, computableMetrics(plan.basis()));

    plan.on.reset();
    EXPECT_THAT(search(plan).error().message, testing::HasSubstr("--hardware"));
    plan.bounds = {{MetricId::time, Bound::Side::atMost, 1.0}};
    EXPECT_THAT(search(plan).error().message, testing::HasSubstr("measured"));
}

} // namespace
} // namespace flopsmith
