// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/sweep/curve_plan.h"

#include "core/count/lens.h"
#include "core/mixer/attention.h"
#include "core/model/presets.h"
#include "core/study/variation/axis_text.h"
#include "core/study/variation/field_number.h"
#include "tests/core/protocol/messages.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace flopsmith {
namespace {

Scenario scenarioOf(std::string_view preset)
{
    return {*presetNamed(preset), {.sequence = 64}};
}

// Seconds that grow with the exact FLOPs of a part.
Measured measuredOf(const MeasuredPart& part)
{
    Measured measured = someMeasured();
    measured.flops = priced(LensId::exact, costTree(part.operation).total().count);
    measured.medianSeconds = 1e-12 * toDouble(measured.flops) + 1e-9;
    return measured;
}

std::vector<Measured> allMeasured(const CurvePlan& plan)
{
    std::vector<Measured> all;
    for (const MeasuredPart& part : plan.parts) {
        all.push_back(measuredOf(part));
    }
    return all;
}

TEST(CurvePlan, MeasuresEveryOperationOnceAndHasAllPoints)
{
    const std::vector<Scenario> curves{scenarioOf("gpt2"), scenarioOf("gpt2-ultra-efficient")};
    const Axis axis = *parsedAxis("seq=16,32,64", curves[0]);

    const CurvePlan plan = curvePlan(curves, axis);

    ASSERT_EQ(plan.points.size(), 6U);
    for (std::size_t i = 0; i < plan.parts.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            EXPECT_FALSE(plan.parts[i].operation == plan.parts[j].operation) << i << " " << j;
        }
    }
    double before = 0.0;
    for (const CurvePlan::Point& point : plan.points) {
        EXPECT_GE(point.x, before);
        before = point.x;
        Scenario scenario = curves[point.curve];
        scenario.workload.sequence = static_cast<int>(point.x);
        std::size_t uses = 0;
        for (const MeasuredPart& part : partsOfPass(scenario)) {
            uses += part.addsToTotal() ? static_cast<std::size_t>(part.uses) : 0;
        }
        std::size_t planned = 0;
        for (const auto& use : point.uses) {
            planned += static_cast<std::size_t>(use.times);
        }
        EXPECT_EQ(planned, uses);
    }
}

TEST(CurvePlan, TimesAreThoseOfTheWholePass)
{
    const std::vector<Scenario> curves{scenarioOf("gpt2-half-swapped")};
    const CurvePlan plan = curvePlan(curves, *parsedAxis("seq=16,64", curves[0]));
    const std::vector<Measured> results = allMeasured(plan);

    const auto times = curveTimes(plan, 1, [&](std::size_t part) { return &results[part]; });

    ASSERT_EQ(times.at(0).size(), 2U);
    for (const CurveTime& time : times[0]) {
        Scenario scenario = curves[0];
        scenario.workload.sequence = static_cast<int>(time.x);
        const std::vector<MeasuredPart> parts = partsOfPass(scenario);
        std::vector<PartResult> measured;
        for (const MeasuredPart& part : parts) {
            measured.push_back({.stage = PartStage::measured, .measured = measuredOf(part)});
        }
        const PassTime whole = passTime(parts, measured).value();
        EXPECT_NEAR(time.time.seconds, whole.seconds, 1e-12 * whole.seconds);
        EXPECT_TRUE(time.time.flops == whole.flops);
    }
}

TEST(CurvePlan, MeasuresWhatFollowsTies)
{
    const std::vector<Scenario> curves{scenarioOf("gpt2")};
    const CurvePlan plan = curvePlan(curves,
                                     *parsedAxis("d_model=768,1536", curves[0]),
                                     {{.key = "d_ff", .factor = 4, .source = "d_model"}});

    const bool isPlanned =
        std::any_of(plan.parts.begin(), plan.parts.end(), [](const MeasuredPart& part) {
            const auto* ffn = std::get_if<FfnSpec>(&part.operation.what);
            const auto* dense = ffn != nullptr ? get_if<DenseFfn>(ffn) : nullptr;
            return dense != nullptr && part.operation.dModel == 1536 && dense->dFf == 6144;
        });
    EXPECT_TRUE(isPlanned);
    EXPECT_EQ(plan.points.size(), 2U);
}

TEST(CurvePlan, APointWithoutAllItsPartsHasNoTime)
{
    const std::vector<Scenario> curves{scenarioOf("gpt2")};
    const CurvePlan plan = curvePlan(curves, *parsedAxis("seq=16,64", curves[0]));
    const std::vector<Measured> results = allMeasured(plan);
    const std::size_t missing = plan.points.back().uses.back().part;

    const auto times = curveTimes(
        plan, 1, [&](std::size_t part) { return part == missing ? nullptr : &results[part]; });

    ASSERT_EQ(times.at(0).size(), 1U);
    EXPECT_EQ(times[0][0].x, 16.0);
}

TEST(CurvePlan, LeavesOutWhatIsNotLegal)
{
    const std::vector<Scenario> curves{scenarioOf("gpt2-ultra-efficient"), scenarioOf("tiny")};
    const Axis axis = *parsedAxis("d_model=768,1536", curves[0]);
    Scenario narrow = curves[1];
    get<Attention>(narrow.model.runs[0].block.mixer).heads = 1024; // of which 768 is no multiple

    const CurvePlan plan = curvePlan(std::vector<Scenario>{curves[0], narrow}, axis);

    EXPECT_EQ(plan.points.size(), 2U);
    for (const CurvePlan::Point& point : plan.points) {
        EXPECT_EQ(point.curve, 0U);
    }
}

TEST(CurvePlan, AScenarioWithoutTheParameterIsMeasuredOnceForAllValues)
{
    const std::vector<Scenario> curves{scenarioOf("gpt2-ultra-efficient"), scenarioOf("gpt2")};
    const Axis axis = *parsedAxis("k_freq=16,32,64", curves[0]); // dense FFNs have none

    const CurvePlan plan = curvePlan(curves, axis);

    ASSERT_EQ(plan.points.size(), 6U);
    const std::vector<Measured> results = allMeasured(plan);
    const auto times = curveTimes(plan, 2, [&results](std::size_t part) { return &results[part]; });
    ASSERT_EQ(times.at(1).size(), 3U);
    for (const CurveTime& each : times[1]) {
        EXPECT_EQ(each.time.seconds, times[1].front().time.seconds);
    }
}

TEST(CurvePlan, PartsThatBothCurvesHaveMakeNoCrossoverUncertain)
{
    const std::vector<Scenario> curves{scenarioOf("gpt2"), scenarioOf("gpt2-ultra-efficient")};
    const CurvePlan plan = curvePlan(curves, *parsedAxis("seq=16,64,256", curves[0]));
    std::map<std::size_t, std::set<std::size_t>> curvesOfPart;
    for (const CurvePlan::Point& point : plan.points) {
        for (const auto& use : point.uses) {
            curvesOfPart[use.part].insert(point.curve);
        }
    }
    // The dense curve's own parts are slow at 256 tokens alone; only common parts are uncertain.
    std::vector<Measured> results = allMeasured(plan);
    for (std::size_t part = 0; part < results.size(); ++part) {
        const bool common = curvesOfPart[part].size() > 1;
        const bool dense = !common && curvesOfPart[part].count(0) == 1;
        const bool large = plan.parts[part].operation.sequence == 256;
        results[part].medianSeconds = dense ? (large ? 4e-3 : 1e-3) : 2e-3;
        results[part].relativeHalfWidth = common ? 0.2 : 0.0;
    }

    const auto found = crossover(plan, 1, 0, [&](std::size_t part) { return &results[part]; });

    ASSERT_TRUE(found.has_value());
    ASSERT_EQ(found->kind, Crossover::Kind::from);
    ASSERT_TRUE(found->low && found->high);
    EXPECT_GT(*found->low, 64.0);
    EXPECT_LT(*found->high, 256.0);
    EXPECT_LT(*found->high / *found->low, 1.3);
}

TEST(CurvePlan, AnAxisIsThinnedToItsEndsAndEvenlyBetween)
{
    const Scenario scenario = scenarioOf("gpt2");
    const Axis axis = *parsedAxis("seq=1..100:step 1", scenario);

    const Axis thin = thinned(axis, 7);

    ASSERT_EQ(thin.values.size(), 7U);
    EXPECT_EQ(thin.values.front(), axis.values.front());
    EXPECT_EQ(thin.values.back(), axis.values.back());
    for (std::size_t i = 1; i < thin.values.size(); ++i) {
        EXPECT_NEAR(*numberOf(thin.values[i]) - *numberOf(thin.values[i - 1]), 16.5, 0.6);
    }
    EXPECT_EQ(thinned(axis, 100), axis);
}

} // namespace
} // namespace flopsmith
