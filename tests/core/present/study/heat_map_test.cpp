// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/study/heat_map.h"

#include "core/lens/cost_summary.h"
#include "core/parameter/parameter_lookup.h"
#include "core/parameter/parameter_rules.h"
#include "core/parameter/validation.h"
#include "core/present/study/chart_texts.h"
#include "core/study/variation/axis_text.h"
#include "tests/core/present/scenarios.h"
#include "tests/support/patterned.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith {
namespace {

using test::scenarioOf;
using testing::HasSubstr;

Axis axisOf(const char* text, const Scenario& scenario)
{
    return parsedAxis(text, scenario, AxisValues::any).value();
}

HeatMap mapOf(const Scenario& scenario, const char* x, const char* y, HeatRequest request = {})
{
    request.x = axisOf(x, scenario);
    request.y = axisOf(y, scenario);
    return heatMap(scenario, request).value();
}

const HeatCell& cellAt(const HeatMap& map, std::size_t column, std::size_t row)
{
    return *std::find_if(map.cells.begin(), map.cells.end(), [&](const HeatCell& cell) {
        return cell.column == column && cell.row == row;
    });
}

TEST(HeatMap, ACellIsTheCountOfTheDesignBuiltByHand)
{
    for (const LensId rule : {LensId::exact, LensId::mac, LensId::matmul}) {
        const Scenario scenario = scenarioOf("gpt2");
        const HeatMap map =
            mapOf(scenario, "d_model=384,768,1536", "seq=256..4096:log2", {.lens = rule});
        ASSERT_EQ(map.cells.size(), 3U * 5U);
        for (const HeatCell& cell : map.cells) {
            Scenario built = scenario;
            built.model.dModel = 384 << cell.column;
            built.workload.sequence = 256 << cell.row;
            ASSERT_TRUE(validated(built).ok());
            const CostTree<Count> tree = costTree(built, lens(rule).pairs);
            ASSERT_TRUE(cell.value.has_value());
            EXPECT_EQ(std::get<Count>(*cell.value),
                      lensFigure(built, rule, tree, tree.total().count));
        }
    }
}

TEST(HeatMap, ACellChargesThePairsThatAreAskedFor)
{
    const Scenario scenario = scenarioOf("gpt2");
    const HeatMap map =
        mapOf(scenario, "d_model=384,768", "seq=256,512", {.pairs = PairsRule::full});
    const HeatMap usual = mapOf(scenario, "d_model=384,768", "seq=256,512");
    for (const HeatCell& cell : map.cells) {
        Scenario built = scenario;
        built.model.dModel = 384 << cell.column;
        built.workload.sequence = 256 << cell.row;
        const CostTree<Count> tree = costTree(built, PairsRule::full);
        EXPECT_EQ(std::get<Count>(*cell.value),
                  lensFigure(built, LensId::exact, tree, tree.total().count));
        EXPECT_NE(*cell.value, *cellAt(usual, cell.column, cell.row).value);
    }
}

// What the window shows when both values are set there one after the other.
TEST(HeatMap, ACellFollowsTies)
{
    const Scenario patterned{.model = flopsmith::test::patterned(), .workload = {.sequence = 128}};
    for (const Scenario& scenario : {scenarioOf("gpt2"), patterned}) {
        ParameterRules rules;
        for (const int run : shownRuns(scenario.model)) {
            ASSERT_TRUE(addTie(rules, scenario, {run, "mixer.heads"}, "d_model/64").ok());
            ASSERT_TRUE(addTie(rules, scenario, {run, "ffn.d_ff"}, "4*d_model").ok());
        }
        Scenario start = scenario;
        follow(start, rules);
        const HeatMap map =
            mapOf(start, "d_model=384,640,1536", "seq=128,512", {.ties = keyedTies(start, rules)});
        for (const HeatCell& cell : map.cells) {
            Scenario set = start;
            Wishes wishes;
            for (const auto& [key, value] : {std::pair("d_model", map.x.values[cell.column]),
                                             {"seq", map.y.values[cell.row]}}) {
                setWithRules(set, wishes, rules, *firstParameter(set, key), value);
            }
            const CostTree<Count> tree = costTree(set, lens(LensId::exact).pairs);
            ASSERT_TRUE(cell.value.has_value()) << cell.problem;
            EXPECT_EQ(std::get<Count>(*cell.value),
                      lensFigure(set, LensId::exact, tree, tree.total().count))
                << cell.text;
        }
    }
}

TEST(HeatMap, CellsAreReadFromTheTopAndColouredByTheirValue)
{
    const HeatMap map = mapOf(scenarioOf("gpt2"), "d_model=384,768", "seq=128,1024");

    ASSERT_EQ(map.cells.size(), 4U);
    EXPECT_EQ(map.cells[0].row, 1U);
    EXPECT_EQ(map.cells[0].column, 0U);
    EXPECT_EQ(map.cells[3].row, 0U);
    EXPECT_EQ(map.cells[3].column, 1U);
    EXPECT_EQ(cellAt(map, 0, 0).share, 0.0);
    EXPECT_EQ(cellAt(map, 1, 1).share, 1.0);
    for (const HeatCell& one : map.cells) {
        for (const HeatCell& other : map.cells) {
            EXPECT_EQ(toDouble(*one.value) < toDouble(*other.value), one.share < other.share);
        }
    }
}

TEST(HeatMap, AColumnIsAsWideAsItsScaleSays)
{
    const Scenario scenario = scenarioOf("gpt2");
    const HeatAxis doubling = mapOf(scenario, "seq=128..1024:log2", "layers=2,4").x;
    EXPECT_EQ(doubling.scale, AxisScale::log2);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(doubling.edges[i + 1] - doubling.edges[i], 0.25, 1e-12);
    }
    const HeatAxis steps = mapOf(scenario, "seq=100..400:step 100", "layers=2,4").x;
    EXPECT_EQ(steps.scale, AxisScale::linear);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(steps.edges[i + 1] - steps.edges[i], 0.25, 1e-12);
    }
    const HeatAxis names = mapOf(scenario, "phase=prefill,train", "layers=2,4").x;
    EXPECT_THAT(names.edges, testing::ElementsAre(0.0, 0.5, 1.0));
}

TEST(HeatMap, KnowsWhereTheDesignItselfLies)
{
    const Scenario scenario = scenarioOf("gpt2"); // 12 layers, 1024 tokens
    const HeatMap exact = mapOf(scenario, "seq=512,1024,2048", "layers=6,12,24");
    ASSERT_NE(exact.present(), nullptr);
    EXPECT_EQ(exact.present()->column, 1U);
    EXPECT_EQ(exact.present()->row, 1U);

    const HeatMap between = mapOf(scenario, "seq=512,2048", "layers=6,24");
    EXPECT_EQ(between.present(), nullptr);
    EXPECT_NEAR(between.x.present.value(), 0.5, 1e-12);
    EXPECT_NEAR(between.y.present.value(), 0.5, 1e-12);

    EXPECT_FALSE(mapOf(scenario, "seq=2048,4096", "layers=6,24").x.present.has_value());
}

// Twelve heads do not divide a width of 1000.
TEST(HeatMap, WhatIsNotPossibleIsSaidAndNotZero)
{
    const HeatMap map = mapOf(scenarioOf("gpt2"), "d_model=768,1000", "seq=512,1024");

    for (const HeatCell& cell : map.cells) {
        EXPECT_EQ(cell.value.has_value(), cell.column == 0) << cell.problem;
        EXPECT_EQ(cell.problem.empty(), cell.column == 0);
    }
    EXPECT_THAT(map.caption, HasSubstr("2 of 4 combinations are not possible: "));
    EXPECT_THAT(map.caption, HasSubstr(shortReason(cellAt(map, 1, 1).problem)));
    EXPECT_FALSE(map.empty());
    EXPECT_TRUE(mapOf(scenarioOf("gpt2"), "d_model=1000,1001", "seq=512,1024").empty());
}

TEST(HeatMap, RefusesWhatIsNoMapInOneSentence)
{
    const Scenario scenario = scenarioOf("gpt2");
    const auto refusal = [&scenario](HeatRequest request) {
        const Result<HeatMap> map = heatMap(scenario, request);
        return map.ok() ? std::string() : map.error().message;
    };
    const Axis seq = axisOf("seq=128,256", scenario);
    EXPECT_THAT(refusal({.x = seq, .y = seq}), HasSubstr("two different parameters"));
    EXPECT_THAT(
        refusal({.x = axisOf("seq=1..101:step 1", scenario), .y = axisOf("layers=6,12", scenario)}),
        HasSubstr("at most 100 values"));
    EXPECT_THAT(
        refusal({.metric = MetricId::memoryShare, .x = seq, .y = axisOf("layers=6,12", scenario)}),
        HasSubstr("--hardware"));
}

} // namespace
} // namespace flopsmith
