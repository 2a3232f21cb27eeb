// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/study/pareto_chart.h"

#include "core/model/model_cost.h"
#include "core/present/study/study_axis.h"
#include "core/study/variation/axis_text.h"
#include "tests/core/present/scenarios.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith {
namespace {

using test::scenarioOf;
using testing::HasSubstr;

constexpr std::array kGoalsToTry{ParetoGoals{ParetoGoal{MetricId::flopsPerToken, Better::smaller},
                                             ParetoGoal{MetricId::params, Better::larger}},
                                 ParetoGoals{ParetoGoal{MetricId::params, Better::larger},
                                             ParetoGoal{MetricId::memoryBytes, Better::smaller}},
                                 ParetoGoals{ParetoGoal{MetricId::flops, Better::smaller},
                                             ParetoGoal{MetricId::kvCacheBytes, Better::smaller}},
                                 ParetoGoals{ParetoGoal{MetricId::intensity, Better::larger},
                                             ParetoGoal{MetricId::params, Better::larger}}};

ParetoChart chartOfPreset(std::string_view preset, const ParetoGoals& goals)
{
    const Scenario scenario = scenarioOf(preset);
    ParetoRequest request{.goals = goals};
    for (const std::string_view key : usualStudyKeys(scenario)) {
        request.axes.push_back(studyAxis(scenario, key).value());
    }
    return paretoChart(scenario, request).value();
}

TEST(ParetoChart, NoPointOfTheFrontIsBeatenAndEveryOtherIsByOneOfIt)
{
    for (const Preset& preset : presets()) {
        for (const ParetoGoals& goals : kGoalsToTry) {
            const ParetoChart chart = chartOfPreset(preset.id, goals);
            ASSERT_FALSE(chart.front.empty()) << preset.id;
            for (const ParetoPoint& point : chart.points) {
                const bool isBeatenByFront =
                    std::any_of(chart.front.begin(), chart.front.end(), [&](std::size_t index) {
                        return chart.beats(chart.points[index], point);
                    });
                const bool isBeaten = std::any_of(
                    chart.points.begin(), chart.points.end(), [&](const ParetoPoint& other) {
                        return chart.beats(other, point);
                    });
                EXPECT_EQ(isBeaten, !point.onFront) << preset.id << " " << point.title;
                EXPECT_EQ(isBeatenByFront, !point.onFront) << preset.id << " " << point.title;
            }
        }
    }
}

// Between two winners it turns where both are at least as good.
TEST(ParetoChart, TheStaircaseGoesThroughTheFront)
{
    for (const ParetoGoals& goals : kGoalsToTry) {
        const ParetoChart chart = chartOfPreset("gpt2", goals);
        ASSERT_EQ(chart.steps.size(), 2 * chart.front.size() - 1);
        for (std::size_t i = 0; i < chart.front.size(); ++i) {
            const ParetoPoint& here = chart.points[chart.front[i]];
            EXPECT_EQ(chart.steps[2 * i].x, here.x);
            EXPECT_EQ(chart.steps[2 * i].y, here.y);
            if (i + 1 < chart.front.size()) {
                const ParetoPlace& turn = chart.steps[2 * i + 1];
                const ParetoPoint corner{.x = turn.x, .y = turn.y};
                EXPECT_FALSE(chart.beats(corner, here)) << here.title;
                EXPECT_FALSE(chart.beats(corner, chart.points[chart.front[i + 1]])) << here.title;
                EXPECT_TRUE(turn.x == here.x || turn.y == here.y) << here.title;
            }
        }
    }
}

TEST(ParetoChart, APointIsTheDesignBuiltByHand)
{
    const Scenario scenario = scenarioOf("gpt2");
    const ParetoRequest request{.axes = {parsedAxis("d_model=384,768,1536", scenario).value(),
                                         parsedAxis("layers=6,12", scenario).value()}};
    const ParetoChart chart = paretoChart(scenario, request).value();

    ASSERT_EQ(chart.points.size(), 6U);
    for (std::size_t i = 0; i < chart.points.size(); ++i) {
        Scenario built = scenario;
        built.model.dModel = 384 << (i / 2);
        built.model.runs.front().repeat = i % 2 == 0 ? 6 : 12;
        const Cost<Count> total = costTree(built).total();
        EXPECT_EQ(std::get<Count>(chart.points[i].exact[1]), total.parameters.trainable)
            << chart.points[i].title;
    }
    ASSERT_TRUE(chart.present.has_value());
    EXPECT_EQ(chart.present->x, chart.points[3].x);
    EXPECT_EQ(chart.present->y, chart.points[3].y);
    EXPECT_EQ(chart.points[3].title, "d_model 768, layers 12");
}

TEST(ParetoChart, WhatIsNotPossibleIsLeftOutAndSaid)
{
    const Scenario scenario = scenarioOf("gpt2");
    const Axis widths = parsedAxis("d_model=768,1000", scenario, AxisValues::any).value();
    const Axis layers = parsedAxis("layers=6,12", scenario).value();

    const ParetoChart chart = paretoChart(scenario, {.axes = {widths, layers}}).value();

    EXPECT_EQ(chart.points.size(), 2U);
    EXPECT_THAT(chart.caption, HasSubstr("2 are not possible: "));
    const Axis none = parsedAxis("d_model=1000,1001", scenario, AxisValues::any).value();
    EXPECT_TRUE(paretoChart(scenario, {.axes = {none}}).value().empty());
}

TEST(ParetoChart, RefusesWhatIsNoFrontInOneSentence)
{
    const Scenario scenario = scenarioOf("gpt2");
    const Axis seq = parsedAxis("seq=1..2000:step 1", scenario).value();
    const Axis layers = parsedAxis("layers=1..12:step 1", scenario).value();
    const auto refusal = [&scenario](const ParetoRequest& request) {
        const Result<ParetoChart> chart = paretoChart(scenario, request);
        return chart.ok() ? std::string() : chart.error().message;
    };
    EXPECT_THAT(refusal({.axes = {seq, layers}}), HasSubstr("at most 10000 designs"));
    EXPECT_THAT(refusal({}), HasSubstr("needs a parameter"));
    EXPECT_FALSE(refusal({.axes = {layers, layers}}).empty());
}

TEST(ParetoChart, GoalsAreReadAsSweepsReadThem)
{
    const Result<ParetoGoals> goals = parsedGoals("flops_per_token,+params");
    ASSERT_TRUE(goals.ok());
    EXPECT_EQ(*goals, usualGoals());
    for (const char* wrong : {"flops", "flops,params,bytes", "flops,cake", "", ",", "+,+"}) {
        EXPECT_FALSE(parsedGoals(wrong).ok()) << wrong;
    }
}

} // namespace
} // namespace flopsmith
