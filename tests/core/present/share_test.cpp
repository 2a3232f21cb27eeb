// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/time/share.h"

#include "core/base/text.h"
#include "core/ffn/composed.h"
#include "core/lens/cost_summary.h"
#include "core/present/time/mislead.h"
#include "core/present/time/run_time.h"
#include "tests/core/present/scenarios.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace flopsmith {
namespace {

using test::partsOf;
using test::scenarioOf;
using testing::HasSubstr;

std::vector<PartTime> timesOf(const std::vector<MeasuredPart>& parts, double seconds)
{
    return std::vector<PartTime>(parts.size(),
                                 {.state = PartState::settled, .medianSeconds = seconds});
}

TEST(ComparedDonuts, AreThoseOfEveryDesignByItself)
{
    const Scenario first = scenarioOf("gpt2", 1024);
    const Scenario second = scenarioOf("llama-3-8b", 512);
    for (const Lens& rule : lenses()) {
        const CostTree<Count> tree = costTree(second, rule.pairs);
        const std::vector<ComparedDesign> designs{
            {.name = "gpt2", .scenario = first},
            {.name = "A Llama", .scenario = second, .tree = &tree, .letter = "A"}};

        const std::vector<Donut> donuts = comparedDonuts(designs, rule.id, rule.pairs);

        ASSERT_EQ(donuts.size(), 2U);
        EXPECT_TRUE(donuts[0].count == summary(costTree(first, rule.pairs), first, rule.id).flops);
        EXPECT_TRUE(donuts[1].count == summary(tree, second, rule.id).flops);
        EXPECT_EQ(donuts[1].title, "A Llama");
        EXPECT_EQ(donuts[1].brief, "A");
        EXPECT_NE(donuts[0].key, donuts[1].key);
    }
}

class ShareOfPreset : public testing::TestWithParam<std::string_view>
{};

TEST_P(ShareOfPreset, SlicesSumToTheWholeExactly)
{
    for (const Lens& rule : lenses()) {
        const Scenario scenario = scenarioOf(GetParam(), 1024);
        const CostTree<Count> tree = costTree(scenario, rule.pairs);
        const CostSummary whole = summary(tree, scenario, rule.id);
        const Donut flops =
            rule.isFormula() ? formulaDonut(scenario, rule.id) : flopsDonut(tree, rule.id);
        const Donut parameters = parametersDonut(tree);
        const Donut moved = bytesDonut(tree, scenario.workload.precision);

        EXPECT_TRUE(flops.count == whole.flops);
        EXPECT_TRUE(parameters.count == whole.parameters);
        EXPECT_EQ(flops.empty(), rule.isFormula());
        for (const Donut& donut : {flops, parameters, moved}) {
            if (donut.empty()) {
                continue;
            }
            Count sum = 0;
            double shares = 0.0;
            for (const Slice& slice : donut.slices) {
                EXPECT_TRUE(slice.count > 0) << slice.title;
                sum += slice.count;
                shares += slice.share;
            }
            EXPECT_TRUE(sum == donut.count);
            EXPECT_NEAR(shares, 1.0, 1e-12);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(AllPresets, ShareOfPreset, testing::ValuesIn([] {
                             std::vector<std::string_view> ids;
                             for (const Preset& preset : presets()) {
                                 ids.push_back(preset.id);
                             }
                             return ids;
                         }()));

TEST(Share, FlopsOfGpt2AreTheKnownNumber)
{
    const CostTree<Count> tree = costTree(scenarioOf("gpt2", 1024), PairsRule::full);

    const Donut donut = flopsDonut(tree, LensId::matmul);

    EXPECT_TRUE(donut.count == Count{291648307200});
    EXPECT_EQ(donut.figure, "291.6");
    EXPECT_EQ(donut.unit, "GFLOPs");
    EXPECT_EQ(donut.title, "computed, matmul");
}

TEST(Share, AFormulaShowsItsTotalAndSaysThatItHasNoParts)
{
    const Scenario scenario = scenarioOf("gpt2-ultra-efficient", 1024);
    const CostTree<Count> tree = costTree(scenario, PairsRule::full);
    const Donut donut = usualDonuts(scenario, tree, LensId::yu, {}, {}, "x").front();

    EXPECT_TRUE(donut.empty());
    EXPECT_EQ(donut.figure + " " + donut.unit, "212.6 GFLOPs");
    EXPECT_EQ(donut.emptyText, "212.6 GFLOPs, no parts");
    EXPECT_THAT(donut.note, HasSubstr("a formula for the whole model"));
    EXPECT_THAT(donut.note, HasSubstr("no term for Spectral")) << "it was made for dense FFNs";
}

TEST(Share, WhatALensCannotSeeIsNamed)
{
    const CostTree<Count> tree = costTree(scenarioOf("gpt2", 16), PairsRule::full);

    EXPECT_THAT(flopsDonut(tree, LensId::mac).note, HasSubstr("Norms, residuals"));
    EXPECT_EQ(flopsDonut(tree, LensId::exact).note, "");
}

TEST(Share, AnEmptyTreeGivesASentence)
{
    const Donut donut = flopsDonut(CostTree<Count>{}, LensId::exact);

    EXPECT_TRUE(donut.empty());
    EXPECT_NE(donut.emptyText, "");
}

TEST(ShareOfTime, IsTheSumOverPartsThatAddToIt)
{
    const auto parts = partsOf("gpt2-half-swapped", 16);
    int uses = 0;
    for (const MeasuredPart& part : parts) {
        uses += part.addsToTotal() ? part.uses : 0;
    }

    const Donut donut = timeDonut(parts, timesOf(parts, 0.5), "this CPU");

    EXPECT_DOUBLE_EQ(donut.total, 0.5 * uses);
    EXPECT_EQ(donut.title, "measured, this CPU");
    EXPECT_EQ(donut.unit, "s");
}

TEST(ShareOfTime, LeavesTheRestOfAComposedFfnToItsGates)
{
    const auto parts = partsOf("gpt2-ultra-efficient", 16);
    auto times = timesOf(parts, 0.0);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        times[i].medianSeconds = parts[i].addsToTotal() ? 1.0 : 0.25;
    }

    const Donut donut = timeDonut(parts, times, "x");

    double stages = 0.0;
    double gates = 0.0;
    for (const Slice& slice : donut.slices) {
        stages += slice.component->id == "spectral" || slice.component->id == "polynomial"
                || slice.component->id == "micro_refine"
            ? slice.value
            : 0.0;
        gates += slice.component->id == "composed" ? slice.value : 0.0;
    }
    EXPECT_DOUBLE_EQ(stages, 12 * 0.75);
    EXPECT_DOUBLE_EQ(gates, 12 * 0.25);
    EXPECT_THAT(donut.note, HasSubstr("stages as timed alone"));
}

TEST(ShareOfTime, ScalesStagesDownThatAreSlowerAlone)
{
    const auto parts = partsOf("gpt2-ultra-efficient", 16);
    auto times = timesOf(parts, 1.0); // three stages of one second in a whole of one second

    const Donut donut = timeDonut(parts, times, "x");

    for (const Slice& slice : donut.slices) {
        EXPECT_NE(slice.component->id, "composed");
        if (slice.component->id == "spectral") {
            EXPECT_NEAR(slice.value, 12.0 / 3.0, 1e-12);
        }
    }
}

// A page says of one pass one number of parts, whether a chart shows stages or not.
TEST(ShareOfTime, StagesAreNoPartsInAnyChart)
{
    const auto parts = partsOf("gpt2-ultra-efficient", 16);
    auto times = timesOf(parts, 1.0);
    ASSERT_TRUE(std::any_of(
        parts.begin(), parts.end(), [](const MeasuredPart& part) { return !part.addsToTotal(); }));
    const auto whole = std::find_if(parts.begin(), parts.end(), [](const MeasuredPart& part) {
        return part.title == "Attention";
    });
    ASSERT_NE(whole, parts.end());
    times[static_cast<std::size_t>(whole - parts.begin())] = {};

    const std::string text = partsMeasured(parts, times).text();

    const Donut donut = timeDonut(parts, times, "x");
    EXPECT_EQ(donut.figure + " " + donut.unit, text);
    EXPECT_EQ(runTimeTable(parts, times, {}, std::nullopt).headline(), text + " measured, in fp32");
    EXPECT_THAT(misleadTable(parts, times, std::nullopt).emptyText, HasSubstr(text));
}

TEST(ShareOfTime, AStageWithoutATimeLeavesTheTotalKnown)
{
    const auto parts = partsOf("gpt2-ultra-efficient", 16);
    auto times = timesOf(parts, 1.0);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        times[i].medianSeconds = parts[i].addsToTotal() ? 1.0 : 0.25;
        times[i] = parts[i].component->id == "spectral" ? PartTime{} : times[i];
    }

    const Donut donut = timeDonut(parts, times, "x");

    EXPECT_TRUE(donut.isComplete);
    for (const Slice& slice : donut.slices) {
        EXPECT_EQ(shareText(donut, &slice).find('%') == std::string::npos,
                  slice.component->id == "composed")
            << slice.title;
    }
}

TEST(ShareOfTime, ComposedIsAWholeAndItsRestHasAnotherName)
{
    const auto parts = partsOf("gpt2-ultra-efficient", 16);
    auto times = timesOf(parts, 1.0);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        times[i].medianSeconds = parts[i].addsToTotal() ? 1.0 : 0.25;
    }
    const RunTimeTable table = runTimeTable(parts, times, {}, std::nullopt);
    const Donut donut = timeDonut(parts, times, "x");

    for (const RunTimeRow& row : table.rows) {
        for (const Slice& slice : donut.slices) {
            EXPECT_TRUE(row.title != slice.title || std::abs(row.seconds - slice.value) < 1e-9)
                << row.title << ": " << row.timeText << " and " << slice.valueText;
        }
    }
    const Slice* rest = donut.slice(*ComposedFfn::info().component);
    ASSERT_NE(rest, nullptr);
    EXPECT_EQ(rest->title, "Composed: gates and sums");
}

TEST(ShareOfTime, SaysHowFarItIs)
{
    const auto parts = partsOf("gpt2", 16);
    std::vector<PartTime> times(parts.size());

    EXPECT_EQ(timeDonut(parts, times, "x").emptyText, "Not measured yet");
    times[0].state = PartState::running;
    EXPECT_EQ(timeDonut(parts, times, "x").emptyText, "Measuring \xE2\x80\xA6");
    times[0] = {.state = PartState::notSettled, .medianSeconds = 1.0};
    times[1] = {.state = PartState::failed, .sentence = "no memory"};
    const std::string all = std::to_string(parts.size());
    const Donut some = timeDonut(parts, times, "x");
    EXPECT_EQ(some.note, "1 s so far; 1 part failed; 1 part not settled");
    EXPECT_EQ(some.figure, "1 of " + all);
    EXPECT_EQ(some.unit, "parts");
    EXPECT_EQ(some.failure, failedPartsText(parts, times));
    times[0].state = PartState::queued;
    EXPECT_EQ(timeDonut(parts, times, "x").emptyText, "Measuring \xE2\x80\xA6");
    times[0].state = PartState::pending;
    EXPECT_EQ(timeDonut(parts, times, "x").emptyText, "Could not be measured");
}

TEST(ShareOfTime, SaysThatItIsRoughAndWhatRepeatedMeasurementsGave)
{
    const auto parts = partsOf("gpt2", 16);
    auto times = timesOf(parts, 1.0);
    EXPECT_EQ(timeDonut(parts, times, "x").rangeText, "");

    times[0] = {.state = PartState::notSettled,
                .medianSeconds = 30.0,
                .lowestSeconds = 20.0,
                .highestSeconds = 40.0};
    const Donut rough = timeDonut(parts, times, "x");

    const double others = rough.total - 30.0; // the embedding is used once
    EXPECT_EQ(rough.figure + " " + rough.unit, "\xE2\x89\x88 " + durationText(others + 30.0));
    EXPECT_EQ(rough.rangeText, durationText(others + 20.0) + " to " + durationText(others + 40.0));
}

TEST(ShareOfTime, AGapIsAsWideAsTheMissingPartsTakeAtLeast)
{
    const auto parts = partsOf("gpt2", 16);
    const MachineRoofs roofs = roofsOf({.flopsPerSecond = 1e9, .bytesPerSecond = 1e12});
    auto times = timesOf(parts, 1.0);
    times.back() = {};
    const double least = lowerBoundSeconds(parts.back(), {}, roofs);

    const Donut bounded = timeDonut(parts, times, "x", roofs);
    const Donut unbounded = timeDonut(parts, times, "x");

    EXPECT_GT(least, 0.0);
    EXPECT_NEAR(bounded.missingShare, least / (least + bounded.total), 1e-12);
    EXPECT_NEAR(unbounded.missingShare, 1.0 / static_cast<double>(parts.size()), 1e-12);
}

TEST(ShareOfTime, HasNoPercentagesUntilItIsComplete)
{
    const auto parts = partsOf("gpt2", 16);
    auto times = timesOf(parts, 1.0);
    times[0] = {};
    const std::vector<Donut> donuts{timeDonut(parts, times, "x")};

    for (const LegendRow& row : legendRows(donuts)) {
        EXPECT_THAT(row.shares.front(), testing::Not(HasSubstr("%"))) << row.title;
    }
    EXPECT_EQ(shareText(donuts.front(), &donuts.front().slices.front()),
              donuts.front().slices.front().valueText);
}

// Any mixture of finished, missing and failed parts; any times.
RC_GTEST_PROP(ShareOfTime, SlicesSumToTheWhole, ())
{
    const auto parts = partsOf("gpt2-half-swapped", 16);
    std::vector<PartTime> times;
    const bool allTimed = *rc::gen::arbitrary<bool>(); // else hardly any model is complete
    for (std::size_t i = 0; i < parts.size(); ++i) {
        times.push_back({.state = allTimed ? PartState::settled
                                           : *rc::gen::element(PartState::pending,
                                                               PartState::queued,
                                                               PartState::running,
                                                               PartState::settled,
                                                               PartState::notSettled,
                                                               PartState::failed),
                         .medianSeconds = *rc::gen::inRange(allTimed ? 1 : 0, 1'000'000) * 1e-6});
    }

    const bool bounded = *rc::gen::arbitrary<bool>();
    const Donut donut =
        timeDonut(parts, times, "x", bounded ? std::optional(roofsOf({1e9, 1e9})) : std::nullopt);

    double whole = 0.0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        whole += parts[i].addsToTotal() && times[i].hasTime()
            ? times[i].medianSeconds * parts[i].uses
            : 0.0;
    }
    double sum = 0.0;
    double ring = donut.missingShare;
    for (const Slice& slice : donut.slices) {
        RC_ASSERT(slice.value > 0.0);
        const bool hasShare = shareText(donut, &slice).find('%') != std::string::npos;
        RC_ASSERT(hasShare == (donut.isComplete && !slice.isPart));
        sum += slice.value;
        ring += slice.share;
    }
    const bool complete = partsMeasured(parts, times).isComplete();
    RC_ASSERT(donut.isComplete == complete);
    RC_ASSERT(!complete || donut.missingShare == 0.0);
    RC_ASSERT(donut.empty() || std::abs(ring - 1.0) <= 1e-9);
    RC_ASSERT(sum == donut.total);
    RC_ASSERT(std::abs(sum - whole) <= whole * 1e-12);
}

TEST(ShareLegend, HasOneRowPerComponentWithADashWhereItHasNoPart)
{
    const CostTree<Count> tree = costTree(scenarioOf("gpt2", 16));
    const std::vector<Donut> donuts{flopsDonut(tree, LensId::exact), parametersDonut(tree)};

    const auto rows = legendRows(donuts);

    ASSERT_EQ(rows.size(), 5U); // embedding, norms, attention, dense, head
    EXPECT_EQ(rows.back().component->id, "head");
    EXPECT_EQ(rows.back().shares.at(1), "\xE2\x80\x93"); // tied: no parameters of its own
}

} // namespace
} // namespace flopsmith
